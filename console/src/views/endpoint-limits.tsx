// How much is sent to an endpoint at once: the limits in force, and an operator's change of them.

import { useSignal } from '@preact/signals'
import type { EndpointDetails } from '../../../src/console/api/endpoints.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { Field } from '../parts/field.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { lasting } from '../parts/time.tsx'

interface Props {
  endpoint: EndpointDetails
  show(value: EndpointDetails): void
}

export function Limits({ endpoint, show }: Props) {
  const { limits } = endpoint
  const { own_concurrency, per_second } = limits
  const hasOwn = own_concurrency !== undefined || per_second !== undefined
  return (
    <Panel title="Limits" aside={hasOwn ? 'set by an operator' : 'default'}>
      <div class="stack">
        <Facts
          of={[
            [
              'Concurrent attempts',
              `${(own_concurrency ?? limits.concurrency).toLocaleString()} attempts`,
            ],
            ['A second', per_second === undefined ? 'no bound' : `${per_second} attempts`],
            ['Timeout of an attempt', lasting(limits.timeout_ms)],
          ]}
        />
        <div class="row">
          {/* Begins anew with what holds. */}
          <Change key={`${own_concurrency} ${per_second}`} endpoint={endpoint} show={show} />
          {hasOwn && (
            <Action
              label="Default"
              small
              run={() => setLimits(endpoint, '', '')}
              done="Reset to the default."
              onDone={show}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}

function Change({ endpoint, show }: Props) {
  const { limits } = endpoint
  const concurrency = useSignal(String(limits.own_concurrency ?? ''))
  const perSecond = useSignal(String(limits.per_second ?? ''))
  return (
    <Action
      label="Change"
      small
      run={() => setLimits(endpoint, concurrency.peek(), perSecond.peek())}
      done="Changed. It applies to the next attempts on all instances."
      onDone={show}
      confirm={{
        title: 'Limits of this endpoint',
        body: (
          <div class="stack">
            <Field
              label="Concurrent attempts"
              value={concurrency}
              maxLength={3}
              placeholder={`${limits.concurrency} (default)`}
              hint="1 to 256, on all instances together. Empty: the default."
            />
            <Field
              label="Attempts a second"
              value={perSecond}
              maxLength={8}
              placeholder="no bound"
              hint="0.01 to 1000, spread evenly. Empty: no limit."
            />
          </div>
        ),
        yes: 'Save',
      }}
    />
  )
}

function setLimits({ endpoint_id }: EndpointDetails, concurrency: string, perSecond: string) {
  const body = { concurrency: numberOf(concurrency), per_second: numberOf(perSecond) }
  if (Number.isNaN(body.concurrency) || Number.isNaN(body.per_second)) return NO_NUMBER
  return api('POST /endpoints/:endpoint_id/limits', { params: { endpoint_id }, body })
}

/** null: nothing was given. */
function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

const NO_NUMBER = Promise.resolve({
  ok: false,
  fault: {
    kind: 'refused',
    code: 'no_number',
    message: 'Enter a number, or leave the field empty.',
  },
} as const)
