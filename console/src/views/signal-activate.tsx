// Activating a signal for one of the operator's principals: where, for which account, and how it is paid.

import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type {
  ActivateBody,
  SignalChoices,
  SignalDetails,
  SignalPlace,
} from '../../../src/console/api/signals.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Field } from '../parts/field.tsx'
import { Panel } from '../parts/panel.tsx'
import { useChoices } from '../parts/signal-principals.tsx'
import { hrefOf } from '../router.ts'
import { placeText, priceText } from '../signal-words.ts'
import { sentence } from '../words.ts'

interface Props {
  signal: SignalDetails
  as: string | undefined
  refresh(): void
}

interface Said {
  tone: 'good' | 'bad'
  text: string
  taskId?: string | undefined
}

export function ActivateForm({ signal, as, refresh }: Props) {
  const { value: choices } = useChoices()
  const able = (choices?.principals ?? []).filter(({ refusal }) => refusal === undefined)
  const places = signal.places.filter(({ catalogue }) => catalogue !== undefined)
  return (
    <Panel title="Activate">
      {choices && able.length === 0 && (
        <p class="soft">
          No principal may activate signals. It needs the scope tasks: adwire principals create
          makes one.
        </p>
      )}
      {places.length === 0 && <p class="soft">This signal has no deployments in the catalogue.</p>}
      {able.length > 0 && places.length > 0 && (
        <Form signal={signal} as={as} refresh={refresh} able={able} places={places} />
      )}
    </Panel>
  )
}

interface FormProps extends Props {
  able: SignalChoices['principals']
  places: readonly SignalPlace[]
}

function Form({ signal, as, refresh, able, places }: FormProps) {
  const usual = able.find(({ principal_id }) => principal_id === as) ?? able.find(isSelf) ?? able[0]
  const chosen = useSignal<string | undefined>(undefined)
  const principal = chosen.value ?? usual?.principal_id ?? ''
  const index = useSignal('0')
  const agent = useSignal('')
  const account = useSignal('')
  const price = useSignal('')
  const { said, isBusy, send } = useSending(signal.signal_id, refresh)
  const place = places[Number(index.value)] ?? places[0]
  if (!place) return null
  const isAnyAgent = place.name === '*'
  const submit = (event: Event) => {
    event.preventDefault()
    const own = place.account ?? account.value.trim()
    send({
      action: 'activate',
      type: place.type,
      principal_id: principal,
      name: isAnyAgent ? agent.value.trim() : place.name,
      ...(own !== '' && { account: own }),
      ...(price.value !== '' && { pricing_option_id: price.value }),
    })
  }
  return (
    <form class="stack" onSubmit={submit}>
      <Select
        label="For"
        value={principal}
        choose={(id) => {
          chosen.value = id
        }}
      >
        {able.map(({ principal_id, name, is_self }) => (
          <option key={principal_id} value={principal_id}>
            {is_self ? `${name} (you)` : name}
          </option>
        ))}
      </Select>
      <Select
        label="Where"
        value={index.value}
        choose={(at) => {
          index.value = at
        }}
      >
        {places.map((one, at) => (
          <option key={placeText(one)} value={String(at)}>
            {placeText(one)}
          </option>
        ))}
      </Select>
      {isAnyAgent && <Field label="URL of the agent" value={agent} type="url" required />}
      {place.account === undefined && (
        <AccountField value={account} principal={principal} place={place.name} />
      )}
      {signal.pricing_options.length > 1 && (
        <Select
          label="Price"
          value={price.value}
          choose={(id) => {
            price.value = id
          }}
        >
          <option value="">Not specified</option>
          {signal.pricing_options.map((option) => (
            <option key={option.pricing_option_id} value={option.pricing_option_id}>
              {priceText(option)}
            </option>
          ))}
        </Select>
      )}
      <div class="stack-status">
        <button type="submit" class="button primary" disabled={isBusy.value}>
          Activate
        </button>
        <div role="status">{said.value && <Outcome said={said.value} />}</div>
      </div>
    </form>
  )
}

function isSelf({ is_self }: SignalChoices['principals'][number]): boolean {
  return is_self
}

function useSending(signal_id: string, refresh: () => void) {
  const said = useSignal<Said | undefined>(undefined)
  const isBusy = useSignal(false)
  const send = async (body: ActivateBody) => {
    if (isBusy.peek()) return
    isBusy.value = true
    said.value = undefined
    const answer = await api('POST /signals/:signal_id/activate', { params: { signal_id }, body })
    isBusy.value = false
    said.value = answer.ok
      ? { tone: 'good', text: sentence(answer.value.message), taskId: answer.value.task_id }
      : { tone: 'bad', text: answer.fault.message }
    if (answer.ok) refresh()
  }
  return { said, isBusy, send }
}

function Outcome({ said: { tone, text, taskId } }: { said: Said }) {
  return (
    <p class={`wrap-anywhere ${tone}`}>
      {text} {taskId !== undefined && <a href={hrefOf(`/tasks/${taskId}`)}>Its task</a>}
    </p>
  )
}

interface SelectProps {
  label: string
  value: string
  choose(value: string): void
  children: ComponentChildren
}

function Select({ label, value, choose, children }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {children}
      </select>
    </div>
  )
}

interface AccountProps {
  value: Signal<string>
  principal: string
  place: string
}

/** Without one it is for the whole platform. The accounts granted to the principal there are offered. */
function AccountField({ value, principal, place }: AccountProps) {
  const id = useId()
  const granted = useData(
    'GET /signal-accounts/:principal_id',
    { params: { principal_id: principal || '-' } },
    [],
  )
  const accounts = (granted.value?.items ?? []).filter(({ platform }) => platform === place)
  return (
    <div class="field">
      <label for={id}>Account (optional)</label>
      <input
        id={id}
        class="input"
        list={`${id}-granted`}
        value={value.value}
        maxLength={255}
        spellcheck={false}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        onInput={(event) => {
          value.value = event.currentTarget.value
        }}
      />
      <datalist id={`${id}-granted`}>
        {accounts.map(({ account }) => (
          <option key={account} value={account} />
        ))}
      </datalist>
      <p id={`${id}-hint`} class="hint">
        {accounts.length === 0
          ? 'Without one, for the whole platform. This principal has no accounts there.'
          : `Without one, for the whole platform. Granted: ${accounts.map((one) => one.account).join(', ')}.`}
      </p>
    </div>
  )
}
