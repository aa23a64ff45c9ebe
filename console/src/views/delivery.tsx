// One delivery: what it is, every attempt with the exact request and what was answered, and what can be done.

import { useSignal } from '@preact/signals'
import type { Attempt, Delivery } from '../../../src/console/api/deliveries.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { curlOf } from '../curl.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { copyText, Id } from '../parts/copy.tsx'
import { HttpHeaders, SignatureParts } from '../parts/http.tsx'
import { JsonText } from '../parts/json.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { hrefOf } from '../router.ts'
import type { Params } from '../routes.ts'
import { deliveryWord, sentence, spaced } from '../words.ts'
import { AttemptTimeline } from './delivery-timeline.tsx'

export function View({ params }: { params: Params }) {
  const { delivery_id = '' } = params
  const { value, fault, refresh, show } = useData(
    'GET /deliveries/:delivery_id',
    { params: { delivery_id } },
    ['deliveries'],
  )
  return (
    <>
      <ViewHead
        title={`Delivery ${delivery_id}`}
        within={{ title: 'Deliveries', path: '/deliveries' }}
        actions={value && <Actions delivery={value} show={show} />}
      >
        {value && <WordBadge word={deliveryWord(value)} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole delivery={value} />}
    </>
  )
}

function Whole({ delivery }: { delivery: Delivery }) {
  const chosen = useSignal<number | undefined>(undefined)
  const last = delivery.history.at(-1)
  const shown = delivery.history.find(({ attempt }) => attempt === chosen.value) ?? last
  return (
    <div class="columns">
      <div class="stack two-thirds">
        <WhatHappened delivery={delivery} />
        <Panel title="Timeline">
          <AttemptTimeline
            delivery={delivery}
            chosen={shown?.attempt}
            choose={(attempt) => {
              chosen.value = attempt
            }}
          />
        </Panel>
        {shown && <Request attempt={shown} delivery={delivery} />}
      </div>
      <div class="stack third">
        <About delivery={delivery} />
        {shown?.request.signature && (
          <Panel title="Signature in words">
            <SignatureParts parts={shown.request.signature} />
          </Panel>
        )}
      </div>
    </div>
  )
}

/** The reason in words, before everything else. */
export function WhatHappened({ delivery }: { delivery: Delivery }) {
  const { fault, reason, state } = delivery
  if (state === 'delivered' || (!fault && reason === undefined)) return null
  const tone = state === 'exhausted' ? 'bad' : 'warn'
  return (
    <div class={`banner ${tone}`}>
      <div class="wrap-anywhere">
        {fault && <b>{sentence(fault.message)}</b>}
        {fault?.code !== undefined && (
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

function About({ delivery }: { delivery: Delivery }) {
  const { task_id, operation_id, media_buy_id } = delivery
  const link = (name: string, value: string) =>
    hrefOf(`/deliveries?${new URLSearchParams({ [name]: value })}`)
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Endpoint', <Id key="url" text={delivery.url} what="URL" wraps />],
          [
            'Of this endpoint',
            <span key="endpoint" class="row wrap">
              <a href={hrefOf(`/endpoints/${encodeURIComponent(delivery.endpoint_id)}`)}>Health</a>
              <a href={link('endpoint', delivery.url)}>All deliveries</a>
            </span>,
          ],
          ['Principal', delivery.principal_name ?? delivery.principal_id],
          ['Tells of', spaced(delivery.notification_type)],
          [
            'Task',
            task_id !== undefined && (
              <>
                <Id text={task_id} what="task id" wraps />{' '}
                <a href={hrefOf(`/tasks/${encodeURIComponent(task_id)}`)}>Open</a>
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
                <a href={hrefOf(`/buys/${encodeURIComponent(media_buy_id)}`)}>The buy</a>{' '}
                <a href={link('media_buy_id', media_buy_id)}>All deliveries</a>
              </>
            ),
          ],
          [
            'Idempotency key',
            <Id key="key" text={delivery.idempotency_key} what="idempotency key" wraps />,
          ],
          ['Sequence number', delivery.sequence_number],
          ['Secured by', delivery.scheme],
          ['Form', delivery.form],
          ['Created', <Time key="created" at={delivery.created_at} as="full" />],
          ['Ended', delivery.ended_at && <Time at={delivery.ended_at} as="full" />],
          ['Given up at', !delivery.ended_at && <Time at={delivery.expires_at} as="full" />],
        ]}
      />
    </Panel>
  )
}

export function Request({ attempt, delivery }: { attempt: Attempt; delivery: Delivery }) {
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
            The headers of this attempt are not kept: nothing was sent, or an older server sent it.
          </p>
        )}
        <div class="stack tight">
          <h3>Body</h3>
          {body.has_token && (
            <p class="faint small">A token is put in when it is sent; here its place is empty.</p>
          )}
          <JsonText text={body.text} what="body" />
          {body.is_cut && <p class="faint small">The body is longer than what is shown.</p>}
        </div>
      </div>
    </Panel>
  )
}

interface ActionsProps {
  delivery: Delivery
  show(value: Delivery): void
}

function Actions({ delivery, show }: ActionsProps) {
  const { delivery_id, may } = delivery
  const params = { delivery_id }
  return (
    <>
      <CopyCurl delivery={delivery} />
      {may.cancel && (
        <Action
          label="Cancel"
          kind="danger"
          run={() => api('POST /deliveries/:delivery_id/cancel', { params, body: {} })}
          done="Cancelled. Nothing more is sent."
          onDone={show}
          confirm={{
            title: 'Cancel this delivery?',
            body: (
              <p>
                No further attempt is made, and the receiver does not learn of this event. An
                attempt that is under way may still arrive. It can be retried later.
              </p>
            ),
            yes: 'Cancel the delivery',
          }}
        />
      )}
      {may.retry && (
        <Action
          label="Retry now"
          kind="primary"
          run={() => api('POST /deliveries/:delivery_id/retry', { params, body: {} })}
          done="It is sent again."
          onDone={show}
        />
      )}
    </>
  )
}

/** For everybody: it changes nothing here. */
function CopyCurl({ delivery }: { delivery: Delivery }) {
  const sent = delivery.history.findLast(({ request }) => request.headers !== undefined)
  const { body } = delivery
  if (!sent?.request.headers || body.is_cut) return null
  const { url, headers } = sent.request
  const copy = async () => {
    const isDone = await copyText(curlOf({ url, headers, body: body.text }))
    if (!isDone) toast('The browser did not let the command be copied.', 'bad')
    else toast('Copied. The signature in it is the one of then: a receiver may find it too old.')
  }
  return (
    <button type="button" class="button" onClick={copy}>
      Copy as curl
    </button>
  )
}
