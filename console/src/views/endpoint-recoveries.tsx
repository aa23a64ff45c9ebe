// Lost deliveries of an endpoint, resent from a given time: the confirmation with their count, and the progress of
// each recovery.

import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { RecoveryItem } from '../../../src/console/api/operations.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Field } from '../parts/field.tsx'
import { FaultNotice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { Time } from '../parts/time.tsx'
import { countText, RECOVERY_WORDS } from '../words.ts'

type Which = RecoveryItem['which']

const DAY_MS = 86_400_000

/** The value of a local time field. */
function localText(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function timeOf(text: string): string | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export function RecoverAction({ endpoint_id }: { endpoint_id: string }) {
  const since = useSignal(localText(Date.now() - DAY_MS))
  const which = useSignal<Which>('failed')
  return (
    <Action
      label="Recover"
      run={() => {
        const at = timeOf(since.peek())
        if (at === undefined) return NO_TIME
        return api('POST /endpoints/:endpoint_id/recoveries', {
          params: { endpoint_id },
          body: { since: at, which: which.peek() },
        })
      }}
      done="Started. Matching deliveries are sent again in the background."
      confirm={{
        title: 'Send again since a time',
        body: <RecoverForm endpoint_id={endpoint_id} since={since} which={which} />,
        yes: 'Send again',
      }}
    />
  )
}

const NO_TIME = Promise.resolve({
  ok: false,
  fault: { kind: 'refused', code: 'no_time', message: 'Enter a date and a time.' },
} as const)

interface FormProps {
  endpoint_id: string
  since: Signal<string>
  which: Signal<Which>
}

function RecoverForm({ endpoint_id, since, which }: FormProps) {
  const id = useId()
  const at = timeOf(since.value)
  return (
    <div class="stack">
      <p>
        Deliveries keep their idempotency keys, so the receiver ignores duplicates. They are sent in
        order, within the limits of the endpoint.
      </p>
      <Field
        label="Created since (your time)"
        value={since}
        type="datetime-local"
        required
        fault={at === undefined ? 'Enter a date and a time.' : undefined}
      />
      <div class="field">
        <label for={id}>Which</label>
        <select
          id={id}
          class="input"
          value={which.value}
          onChange={(event) => {
            which.value = event.currentTarget.value as Which
          }}
        >
          <option value="failed">Undelivered only</option>
          <option value="all">All, including delivered ones</option>
        </select>
        <p class="hint">
          {which.value === 'failed'
            ? 'Failed permanently, or cancelled because the receiver was gone. Excludes deliveries that an operator cancelled.'
            : 'For a receiver that lost acknowledged webhooks.'}
        </p>
      </div>
      {at !== undefined && <HowMany endpoint_id={endpoint_id} since={at} which={which.value} />}
    </div>
  )
}

function HowMany({
  endpoint_id,
  since,
  which,
}: {
  endpoint_id: string
  since: string
  which: Which
}) {
  const { value, fault, isLoading } = useData(
    'GET /endpoints/:endpoint_id/recoveries/count',
    { params: { endpoint_id }, query: { since, which } },
    [],
  )
  const text = fault ? fault.message : value && !isLoading ? howMany(value.count) : 'Counting …'
  return (
    <p class={fault ? 'fault' : 'soft'} role="status">
      {text}
    </p>
  )
}

function howMany(count: Parameters<typeof countText>[0]): string {
  if (count === 0) return 'There is none.'
  return count === 1
    ? '1 delivery is sent again.'
    : `${countText(count)} deliveries are sent again.`
}

export function Recoveries({ endpoint_id }: { endpoint_id: string }) {
  const { value, fault, refresh } = useData(
    'GET /endpoints/:endpoint_id/recoveries',
    { params: { endpoint_id } },
    ['endpoints'],
  )
  if (fault && !value) {
    return (
      <Panel title="Sent again">
        <FaultNotice fault={fault} retry={refresh} />
      </Panel>
    )
  }
  if (!value || value.items.length === 0) return null
  return (
    <Panel title="Sent again" aside={`${value.items.length} shown`}>
      <ul class="stack">
        {value.items.map((item) => (
          <li key={item.recovery_id}>
            <OneRecovery recovery={item} onDone={refresh} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function OneRecovery({ recovery, onDone }: { recovery: RecoveryItem; onDone(): void }) {
  const { recovery_id, state, total, which } = recovery
  const done = recovery.sent + recovery.passed_over
  return (
    <div class="stack tight">
      <div class="row between top">
        <span>
          {which === 'failed' ? 'Undelivered only' : 'All that ended'} since{' '}
          <Time at={recovery.since} as="full" />
        </span>
        <WordBadge word={RECOVERY_WORDS[state]} />
      </div>
      {(state === 'counting' || state === 'sending') && (
        <progress
          class="meter"
          max={Math.max(total, 1)}
          {...(state === 'sending' && { value: done })}
          aria-label="Share that is sent again"
        />
      )}
      <div class="row between">
        <span class="soft small">{progressText(recovery)}</span>
        {recovery.may.cancel && (
          <Action
            label="Cancel"
            small
            kind="danger"
            run={() =>
              api('POST /recoveries/:recovery_id/cancel', { params: { recovery_id }, body: {} })
            }
            done="Cancelled. Deliveries that were already queued are still sent."
            onDone={onDone}
            confirm={{
              title: 'Stop sending again?',
              body: (
                <p>
                  Deliveries that are already queued are still sent. The rest is left unchanged.
                </p>
              ),
              yes: 'Stop it',
            }}
          />
        )}
      </div>
      <div class="faint small">
        {recovery.requested_by} · <Time at={recovery.created_at} as="ago" />
      </div>
    </div>
  )
}

function progressText({ state, total, sent, passed_over }: RecoveryItem): string {
  if (state === 'counting') return `${total.toLocaleString()} found so far`
  const passed =
    passed_over === 0
      ? ''
      : ` · ${passed_over.toLocaleString()} skipped: no registration for this endpoint`
  return `${sent.toLocaleString()} of ${total.toLocaleString()} sent again${passed}`
}
