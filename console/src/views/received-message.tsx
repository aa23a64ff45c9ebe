// One received message: its sender and how the sender was verified, its content, its outcome, and the actions an
// operator can take if it could not be applied.

import type { ReceivedMessage } from '../../../src/console/api/received.ts'
import { api } from '../api/client.ts'
import { type Loaded, useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { JsonText } from '../parts/json.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { type Moment, Timeline } from '../parts/timeline.tsx'
import type { Params } from '../paths.ts'
import { go, hrefOf } from '../router.ts'
import { RECEIVED_WORDS, sentence, spaced } from '../words.ts'

export function View({ params }: { params: Params }) {
  const { message_id = '' } = params
  const { value, fault, refresh, show, replace } = useData(
    'GET /received/:message_id',
    { params: { message_id } },
    ['received'],
  )
  return (
    <>
      <ViewHead
        title={`Message ${message_id}`}
        within={{ title: 'Received', path: '/received' }}
        actions={value && <Actions message={value} show={show} replace={replace} />}
      >
        {value && <WordBadge word={RECEIVED_WORDS[value.state]} />}
      </ViewHead>
      {value && fault?.kind === 'missing' && <Moved message={value} />}
      {value && fault?.kind !== 'missing' && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole message={value} />}
    </>
  )
}

function Whole({ message }: { message: ReceivedMessage }) {
  const { body, state, reason } = message
  return (
    <div class="columns">
      <div class="stack two-thirds">
        {state === 'dead' && (
          <div class="banner bad">
            <div class="wrap-anywhere">
              <b>It was acknowledged but could not be applied.</b>
              {reason !== undefined && <p>{sentence(reason)}</p>}
            </div>
          </div>
        )}
        <Panel title="History">
          <Timeline label="History" moments={momentsOf(message)} />
        </Panel>
        <Panel title="Body" aside={`${body.bytes.toLocaleString()} bytes`}>
          <div class="stack tight">
            {body.has_token && <p class="faint small">The registration token in it is hidden.</p>}
            <JsonText text={body.text} what="body" />
            {body.is_cut && <p class="faint small">The body is truncated here.</p>}
          </div>
        </Panel>
      </div>
      <div class="stack third">
        <Verified message={message} />
        <About message={message} />
      </div>
    </div>
  )
}

const ENDINGS = {
  applied: ['Applied', 'good'],
  stale: ['Superseded', 'idle'],
  dead: ['Failed permanently after all attempts', 'bad'],
} as const

/** The history that the inbox keeps: the relevant times, and the final outcome. */
function momentsOf(message: ReceivedMessage): Moment[] {
  const { state, attempts, reason } = message
  const moments: Moment[] = [
    {
      key: 'happened',
      tone: 'info',
      title: 'Event time, according to the sender',
      at: message.event_at,
    },
    {
      key: 'received',
      tone: 'good',
      title: 'Verified, stored and acknowledged',
      at: message.received_at,
    },
  ]
  if (attempts > 0) {
    const times = attempts === 1 ? 'once' : `${attempts.toLocaleString()} times`
    moments.push({
      key: 'tried',
      tone: state === 'applied' ? 'good' : 'warn',
      title: `Passed to the application ${times}`,
      children: state === 'pending' && reason !== undefined && (
        <p class="said">{sentence(reason)}</p>
      ),
    })
  }
  if (state === 'leased') {
    moments.push({ key: 'now', tone: 'info', title: 'Being applied now' })
  } else if (state === 'pending') {
    moments.push({
      key: 'next',
      tone: 'future',
      title: 'Next attempt',
      at: message.next_attempt_at,
    })
  } else {
    const [title, tone] = ENDINGS[state]
    moments.push({
      key: 'ended',
      tone,
      title,
      at: message.ended_at,
      children: reason !== undefined && <p class="said">{sentence(reason)}</p>,
    })
  }
  return moments.filter(({ key, at }) => key !== 'happened' || at !== undefined)
}

function Verified({ message }: { message: ReceivedMessage }) {
  return (
    <Panel title="What was verified">
      <div class="stack">
        <p class="soft small">
          The sender is identified by its signature or the credential of its route, not by the
          content of the message. The body is the exact bytes that were sent.
        </p>
        <Facts
          of={[
            ['Sender', <Id key="sender" text={message.sender} what="sender" wraps />],
            ['Route', message.route],
            ['SHA-256', <Id key="digest" text={message.body.digest} what="digest" wraps />],
            [
              'Idempotency key',
              <Id key="key" text={message.idempotency_key} what="idempotency key" wraps />,
            ],
            ['Key known until', <Time key="until" at={message.known_until} as="full" />],
          ]}
        />
      </div>
    </Panel>
  )
}

function About({ message }: { message: ReceivedMessage }) {
  const { task_id, operation_id } = message
  const like = (name: string, value: string) => (
    <a href={hrefOf(`/received?${new URLSearchParams({ [name]: value })}`)}>All messages</a>
  )
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Kind', spaced(message.family)],
          ['Status', message.status && spaced(message.status)],
          [
            'Task',
            task_id !== undefined && (
              <>
                <Id text={task_id} what="task id" wraps /> {like('task_id', task_id)}
              </>
            ),
          ],
          [
            'Operation',
            operation_id !== undefined && (
              <>
                <Id text={operation_id} what="operation id" wraps />{' '}
                {like('operation_id', operation_id)}
              </>
            ),
          ],
          ['Of this sender', like('sender', message.sender)],
        ]}
      />
    </Panel>
  )
}

/** Another operator has applied it again, or its retention is over. */
function Moved({ message: { message_id, idempotency_key } }: { message: ReceivedMessage }) {
  const path = `/received?${new URLSearchParams({ q: idempotency_key })}`
  return (
    <div class="banner warn" role="alert">
      <span>
        Message {message_id} no longer exists: it was applied again under another number, or its
        retention ended.
      </span>
      <a class="button small" href={hrefOf(path)}>
        Find it by its key
      </a>
    </div>
  )
}

type ActionsProps = Pick<Loaded<ReceivedMessage>, 'show' | 'replace'> & {
  message: ReceivedMessage
}

function Actions({ message: { message_id, may }, show, replace }: ActionsProps) {
  const params = { message_id }
  return (
    <>
      {may.drop && (
        <Action
          label="Discard"
          kind="danger"
          run={() => api('POST /received/:message_id/drop', { params, body: {} })}
          done="Discarded. It is not applied, and its key stays recorded."
          onDone={show}
          confirm={{
            title: 'Discard this message?',
            body: (
              <p>
                It will never be applied. Its idempotency key stays recorded, so a duplicate is
                acknowledged but not applied either. This cannot be undone.
              </p>
            ),
          }}
        />
      )}
      {may.apply && (
        <Action
          label="Apply again"
          kind="primary"
          run={() => replace(() => api('POST /received/:message_id/apply', { params, body: {} }))}
          done={(made) => `It is applied again, as message ${made.message_id}.`}
          onDone={(made) => go(`/received/${made.message_id}`)}
        />
      )}
    </>
  )
}
