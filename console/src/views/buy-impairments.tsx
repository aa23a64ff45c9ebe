// Problems that prevent a buy from delivering as bought: raised and cleared here by an operator, with the text that
// the buyer reads.

import { useSignal } from '@preact/signals'
import type { Buy, RaiseBody, SerializedImpairment } from '../../../src/console/api/buys.ts'
import {
  IMPAIRMENT_TYPES,
  REASON_CODES,
  RESOURCE_TYPES,
  TRANSITIONS,
} from '../../../src/protocol/impairment-words.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { Action } from '../parts/action.tsx'
import { Badge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Panel } from '../parts/panel.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Time } from '../parts/time.tsx'
import { sentence, spaced } from '../words.ts'

interface Props {
  buy: Buy
  show(value: Buy): void
}

export function Impairments({ buy, show }: Props) {
  const { open, cleared, told_at, reported } = buy.impairments
  return (
    <Panel title="Impairments" aside={open.length === 0 ? 'none is open' : `${open.length} open`}>
      <div class="stack">
        {open.length === 0 && <p class="faint">This buy has no impairments.</p>}
        {told_at !== undefined && (
          <p class="soft small">
            Changes are collected; the buyer is notified <Time at={told_at} as="until" />.
          </p>
        )}
        {open.map((one) => (
          <One key={one.impairment_id} one={one} buy={buy} show={show} />
        ))}
        {(cleared.length > 0 || reported.length > 0) && (
          <details class="stack tight">
            <summary>
              {cleared.length} cleared, {reported.length} told
            </summary>
            <div class="stack tight">
              {cleared.map((one) => (
                <One key={one.impairment_id} one={one} buy={buy} show={show} />
              ))}
              {reported.map(({ notification_id, at, changes, health }) => (
                <div key={`${notification_id} ${at}`} class="small">
                  Told <Time at={at} />: {changes.join('; ')} <span class="faint">({health})</span>
                  <Id text={notification_id} what="notification id" />
                </div>
              ))}
            </div>
          </details>
        )}
      </div>
    </Panel>
  )
}

function One({ one, buy, show }: Props & { one: SerializedImpairment }) {
  const isOpen = one.cleared_at === undefined
  return (
    <article class="impairment">
      <div class="row between top">
        <b class="wrap-anywhere">
          {spaced(one.resource_type)} {spaced(one.to)}
        </b>
        <Badge tone={isOpen ? (one.impairment_type === 'general' ? 'warn' : 'bad') : 'idle'}>
          {isOpen ? one.impairment_type : 'cleared'}
        </Badge>
      </div>
      <Id text={one.resource_id} what="resource id" wraps />
      <p class="small wrap-anywhere">
        {spaced(one.reason_code)}
        {one.reason !== undefined && `: ${sentence(one.reason)}`}
      </p>
      {one.remediation !== undefined && (
        <p class="soft small wrap-anywhere">Suggested fix: {sentence(one.remediation)}</p>
      )}
      <p class="faint small wrap-anywhere">
        {one.raised_by === 'system' ? 'seen by the server' : 'raised by an operator'}{' '}
        <Time at={one.observed_at} />
        {one.cleared_at !== undefined && (
          <>
            , cleared <Time at={one.cleared_at} />
          </>
        )}{' '}
        · {one.package_ids.join(', ')}
      </p>
      {isOpen && (
        <div>
          <Clear one={one} buy={buy} show={show} />
        </div>
      )}
    </article>
  )
}

function Clear({ one, buy, show }: Props & { one: SerializedImpairment }) {
  const { impairment_id, raised_by } = one
  const { media_buy_id } = buy
  return (
    <Action
      label="Clear"
      small
      run={() =>
        api('POST /buys/:media_buy_id/impairments/:impairment_id/clear', {
          params: { media_buy_id, impairment_id },
          body: {},
        })
      }
      done="Cleared. The buyer is notified."
      onDone={show}
      confirm={{
        title: 'Clear this impairment?',
        body: (
          <p>
            The buyer is notified that {spaced(one.resource_type)} {one.resource_id} impairs the buy
            no longer.
            {raised_by === 'system' &&
              ' The server raised it by itself, and raises it again if the cause is still there.'}
          </p>
        ),
      }}
    />
  )
}

const TYPE_WORDS: Readonly<Record<(typeof IMPAIRMENT_TYPES)[number], string>> = {
  general: 'general: collected, sent within minutes',
  fraud: 'fraud: sent at once',
  safety: 'safety: sent at once',
}

const NO_ID: Fault = {
  kind: 'refused',
  code: 'invalid_request',
  message: 'Enter the id of the impaired resource.',
}

export function RaiseAction({ buy, show }: Props) {
  const type = useSignal<string>('general')
  const resource = useSignal<string>('creative')
  const id = useSignal('')
  const to = useSignal('suspended')
  const code = useSignal<string>('policy_violation')
  const reason = useSignal('')
  const remediation = useSignal('')
  const only = useSignal('')
  const live = buy.package_list.filter(({ canceled }) => !canceled)
  const states = TRANSITIONS[resource.value as RaiseBody['resource_type']]
  const run = async () => {
    if (id.value.trim() === '') return { ok: false as const, fault: NO_ID }
    const body: RaiseBody = {
      impairment_type: type.value as RaiseBody['impairment_type'],
      resource_type: resource.value as RaiseBody['resource_type'],
      resource_id: id.value.trim(),
      to: to.value,
      reason_code: code.value as RaiseBody['reason_code'],
    }
    if (reason.value.trim() !== '') body.reason = reason.value.trim()
    if (remediation.value.trim() !== '') body.remediation = remediation.value.trim()
    if (only.value !== '') body.package_ids = [only.value]
    const { media_buy_id } = buy
    return api('POST /buys/:media_buy_id/impairments', { params: { media_buy_id }, body })
  }
  return (
    <Action
      label="Raise an impairment"
      run={run}
      done="Raised. The buyer is notified."
      onDone={(value) => {
        id.value = ''
        reason.value = ''
        remediation.value = ''
        show(value)
      }}
      confirm={{
        title: 'Which resource is impaired?',
        yes: 'Raise',
        body: (
          <>
            <p class="soft">
              The buyer reads this in a webhook and in get_media_buys. One of the same resource that
              is open already is changed.
            </p>
            <div class="pair">
              <SelectField
                label="What"
                value={resource}
                options={RESOURCE_TYPES.map((one) => [one, spaced(one)] as const)}
                onChoose={(chosen) => {
                  to.value = TRANSITIONS[chosen as RaiseBody['resource_type']][0] ?? ''
                }}
              />
              <SelectField
                label="Became"
                value={to}
                options={states.map((one) => [one, spaced(one)] as const)}
              />
            </div>
            <Field label="Its id" value={id} maxLength={255} required />
            <div class="pair">
              <SelectField
                label="Why"
                value={code}
                options={REASON_CODES.map((one) => [one, spaced(one)] as const)}
              />
              <SelectField
                label="Kind"
                value={type}
                options={IMPAIRMENT_TYPES.map((one) => [one, TYPE_WORDS[one]] as const)}
              />
            </div>
            <SelectField
              label="Affected packages"
              value={only}
              options={[
                ['', 'All of them'],
                ...live.map((one) => [one.package_id, spaced(one.product_id)] as const),
              ]}
            />
            <Field label="Reason for the buyer (optional)" value={reason} maxLength={500} />
            <Field label="Suggested fix (optional)" value={remediation} maxLength={500} />
          </>
        ),
      }}
    />
  )
}
