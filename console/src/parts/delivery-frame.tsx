// One delivery, as operators and buyers see it: its data, every attempt with the exact request, and the response.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { Attempt, Delivery } from '../../../src/console/api/deliveries.ts'
import type { Loaded } from '../api/use-data.ts'
import { hrefOf } from '../router.ts'
import { deliveryWord, sentence, spaced } from '../words.ts'
import { WordBadge } from './badge.tsx'
import { Id } from './copy.tsx'
import { AttemptTimeline } from './delivery-timeline.tsx'
import { HttpHeaders, SignatureParts } from './http.tsx'
import { JsonText } from './json.tsx'
import { FaultBanner, FaultNotice } from './notice.tsx'
import { Facts, Panel, ViewHead } from './panel.tsx'
import { Skeletons } from './skeletons.tsx'
import { Time } from './time.tsx'

interface FrameProps {
  delivery_id: string
  loaded: Pick<Loaded<Delivery>, 'value' | 'fault' | 'refresh'>
  /** The list that it is one of. */
  list: string
  /** Where to go if it does not exist. Default: the overview. */
  home?: { path: string; title: string }
  actions?: ComponentChildren
  /** Further data, and the owner: for users who may see all deliveries. */
  about?: AboutLinks
}

interface AboutLinks {
  endpoint(delivery: Delivery): string
  task(task_id: string): string
  buy(media_buy_id: string): string
}

export function DeliveryFrame({ delivery_id, loaded, list, home, actions, about }: FrameProps) {
  const { value, fault, refresh } = loaded
  return (
    <>
      <ViewHead
        title={`Delivery ${delivery_id}`}
        within={{ title: 'Deliveries', path: list }}
        actions={actions}
      >
        {value && <WordBadge word={deliveryWord(value)} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} {...(home && { home })} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole delivery={value} list={list} about={about} />}
    </>
  )
}

interface WholeProps {
  delivery: Delivery
  list: string
  about: AboutLinks | undefined
}

function Whole({ delivery, list, about }: WholeProps) {
  const chosen = useSignal<number | undefined>(undefined)
  const last = delivery.history.at(-1)
  const returned = delivery.history.find(({ attempt }) => attempt === chosen.value) ?? last
  return (
    <div class="columns">
      <div class="stack two-thirds">
        <WhatHappened delivery={delivery} />
        <Panel title="Timeline">
          <AttemptTimeline
            delivery={delivery}
            chosen={returned?.attempt}
            choose={(attempt) => {
              chosen.value = attempt
            }}
          />
        </Panel>
        {returned && <Request attempt={returned} delivery={delivery} />}
      </div>
      <div class="stack third">
        <About delivery={delivery} list={list} about={about} />
        {returned?.request.signature && (
          <Panel title="Signature explained">
            <SignatureParts parts={returned.request.signature} />
          </Panel>
        )}
      </div>
    </div>
  )
}

/** The reason as a readable message, before everything else. */
function WhatHappened({ delivery }: { delivery: Delivery }) {
  const { fault, reason, state } = delivery
  if (state === 'delivered' || (!fault && reason === undefined)) return null
  const tone = state === 'exhausted' ? 'bad' : 'warn'
  return (
    <div class={`banner ${tone}`}>
      <div class="wrap-anywhere">
        {fault && <b>{sentence(fault.message)}</b>}
        {fault?.code !== undefined && !fault.message.includes(fault.code) && (
          <>
            {' '}
            <code>{fault.code}</code>
          </>
        )}
        {fault?.advice !== undefined && <p>{sentence(fault.advice)}</p>}
        {reason !== undefined && <p class="soft">Ended: {sentence(reason)}</p>}
      </div>
    </div>
  )
}

function About({ delivery, list, about }: WholeProps) {
  const { task_id, operation_id, media_buy_id } = delivery
  const all = (name: string, value: string) =>
    hrefOf(`${list}?${new URLSearchParams({ [name]: value })}`)
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Endpoint', <Id key="url" text={delivery.url} what="URL" wraps />],
          [
            'To this endpoint',
            <span key="endpoint" class="row wrap">
              {about && <a href={about.endpoint(delivery)}>Health</a>}
              <a href={all('endpoint', delivery.url)}>All deliveries</a>
            </span>,
          ],
          ['Principal', about && (delivery.principal_name ?? delivery.principal_id)],
          ['Event', spaced(delivery.notification_type)],
          [
            'Task',
            task_id !== undefined && (
              <>
                <Id text={task_id} what="task id" wraps />{' '}
                {about && <a href={about.task(task_id)}>Open</a>}
              </>
            ),
          ],
          [
            'Operation',
            operation_id !== undefined && <Id text={operation_id} what="operation id" wraps />,
          ],
          [
            'Media buy',
            media_buy_id !== undefined && (
              <>
                <Id text={media_buy_id} what="media buy id" wraps />{' '}
                {about && <a href={about.buy(media_buy_id)}>The buy</a>}{' '}
                <a href={all('media_buy_id', media_buy_id)}>All deliveries</a>
              </>
            ),
          ],
          [
            'Idempotency key',
            <Id key="key" text={delivery.idempotency_key} what="idempotency key" wraps />,
          ],
          ['Sequence number', delivery.sequence_number],
          ['Authentication', delivery.scheme],
          ['Form', delivery.form],
          ['Created', <Time key="created" at={delivery.created_at} as="full" />],
          ['Ended', delivery.ended_at && <Time at={delivery.ended_at} as="full" />],
          ['Failed at', !delivery.ended_at && <Time at={delivery.expires_at} as="full" />],
        ]}
      />
    </Panel>
  )
}

function Request({ attempt, delivery }: { attempt: Attempt; delivery: Delivery }) {
  const { request } = attempt
  const { body } = delivery
  return (
    <Panel
      title={`Request of attempt ${attempt.attempt}`}
      aside={`${body.bytes.toLocaleString()} bytes`}
    >
      <div class="stack">
        <p class="http-line">
          <b>{request.method}</b> {request.url}
        </p>
        {request.headers ? (
          <HttpHeaders headers={request.headers} label="Headers of the request" />
        ) : (
          <p class="faint">
            No headers were stored for this attempt: nothing was sent, or an older server sent it.
          </p>
        )}
        <div class="stack tight">
          <h3>Body</h3>
          {body.has_token && (
            <p class="faint small">
              The token is added when the request is sent and is not displayed here.
            </p>
          )}
          <JsonText text={body.text} what="body" />
          {body.is_cut && <p class="faint small">The body is truncated here.</p>}
        </div>
      </div>
    </Panel>
  )
}
