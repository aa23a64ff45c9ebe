// One task of an agent: its request as a form, the call, and the outcome.

import { useComputed, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { AgentTask, AskAnswer, CallAnswer } from '../../../src/console/api/agents.ts'
import { api } from '../api/client.ts'
import { adwireCallOf } from '../curl.ts'
import { blankOf } from '../schema/blank-of.ts'
import { type Faults, faultsOf } from '../schema/faults-of.ts'
import { hasUnparsed, isMembers, type JsonSchema } from '../schema/json-schema.ts'
import { Action } from './action.tsx'
import { AgentAnswer } from './agent-answer.tsx'
import { CopyButton } from './copy.tsx'
import { Exchanges } from './exchanges.tsx'
import { Panel } from './panel.tsx'
import { SchemaForm } from './schema-form.tsx'

interface Props {
  answer: AskAnswer
  task: AgentTask
  secret: string | undefined
}

/** Where a call goes. */
export interface Called {
  url: string
  transport: AgentTask['transports'][number]
  task: string
  key?: string | undefined
}

const ANYTHING: JsonSchema = { type: 'object' }
const NONE: Faults = new Map()

export function AgentCall({ answer, task, secret }: Props) {
  const { name, description, changes } = task
  const schemas = schemasOf(task)
  const byAgent = useSignal(schemas[0]?.from === 'agent')
  const schema =
    schemas.find(({ from }) => (from === 'agent') === byAgent.value)?.schema ?? ANYTHING
  const value = useSignal<unknown>(blankOf(schema) ?? {})
  const transport = useSignal(task.transports[0] ?? 'mcp')
  const isTried = useSignal(false)
  const outcome = useSignal<Outcome | undefined>(undefined)
  const returned = useComputed(() => outcome.value?.answer)
  const faults = faultsOf(schema, value.value)
  const isSendable = isMembers(value.value) && !hasUnparsed(value.value)
  const url = answer.transports.find((one) => one.transport === transport.value)?.url ?? answer.url
  const called: Called = {
    url,
    transport: transport.value,
    task: name,
    ...(secret && { key: secret }),
  }
  const params = isMembers(value.value) ? value.value : {}
  const wrong = isTried.value ? faults.size : 0
  // Errors reported by the agent are displayed at the fields until they are changed.
  const reported =
    outcome.value?.params === value.value ? faultsReported(outcome.value?.answer) : NONE
  const show = (next: CallAnswer) => {
    outcome.value = { answer: next, params: outcome.peek()?.params }
  }
  return (
    <>
      <Panel
        title={`Call ${name}`}
        aside={
          <CopyButton
            text={adwireCallOf({ ...called, params, hasKey: secret !== undefined })}
            what="command for adwire call"
          />
        }
      >
        <form class="stack" onSubmit={(event) => event.preventDefault()}>
          {description !== undefined && <p class="soft wrap-anywhere">{description}</p>}
          <div class="call-choices">
            <Choose
              label="Transport"
              of={task.transports.map((one) => [one, one.toUpperCase()])}
              value={transport.value}
              choose={(next) => {
                transport.value = next
              }}
            />
            <Choose
              label="Fields by"
              of={schemas.map(({ from, title }) => [from, title])}
              value={byAgent.value ? 'agent' : 'protocol'}
              choose={(next) => {
                byAgent.value = next === 'agent'
              }}
            />
          </div>
          <SchemaForm
            key={String(byAgent.value)}
            schema={schema}
            value={value}
            faults={new Map([...(isTried.value ? faults : NONE), ...reported])}
            label={`Request of ${name}`}
          />
          {wrong > 0 && (
            <p class="warn small" role="status">
              {wrong === 1 ? 'One field does' : `${wrong} fields do`} not fit the schema.
            </p>
          )}
          <div class="row wrap">
            <Action
              label={wrong > 0 ? 'Call anyway' : 'Call'}
              kind="primary"
              unless={isSendable ? undefined : 'The JSON fields are not valid JSON.'}
              run={() => {
                isTried.value = true
                return api('POST /agents/call', { body: { ...called, params } })
              }}
              done={`The response to ${name} is below.`}
              onDone={(next) => {
                outcome.value = { answer: next, params }
              }}
              // A task without this information may change something as well.
              {...(changes !== false && { confirm: CONFIRM })}
            />
            {changes !== false && (
              <span class="small warn">
                This task {changes ? 'changes' : 'may change'} something at the agent.
              </span>
            )}
          </div>
        </form>
      </Panel>
      {returned.value && <AgentAnswer answer={returned.value} called={called} show={show} />}
      {returned.value && <Exchanges of={returned.value.exchanges} title="What was sent" />}
    </>
  )
}

/** An answer, and the exact request that it belongs to. */
interface Outcome {
  answer: CallAnswer
  params: unknown
}

/** The more detailed one first: agents often list a short schema, and validate against the protocol's. */
function schemasOf({ input_schema, protocol_schema }: AgentTask) {
  const given = [
    { from: 'agent' as const, title: 'the agent’s schema', schema: input_schema },
    { from: 'protocol' as const, title: 'the protocol’s schema', schema: protocol_schema },
  ]
  return given
    .flatMap(({ schema, ...rest }) => (schema ? [{ ...rest, schema }] : []))
    .sort((a, b) => JSON.stringify(b.schema).length - JSON.stringify(a.schema).length)
}

/** The parts of an answer's errors that are about members of the request. */
function faultsReported(answer: CallAnswer | undefined): Faults {
  const errors = Array.isArray(answer?.body?.errors) ? answer.body.errors : []
  const reported = errors
    .filter(isMembers)
    .flatMap(({ issues, field, message }) => [
      ...(Array.isArray(issues) ? issues.filter(isMembers) : []),
      { pointer: field, message },
    ])
  const faults = new Map<string, string>()
  for (const { pointer, message } of reported) {
    if (typeof pointer !== 'string' || typeof message !== 'string') continue
    if (pointer.startsWith('/') && !faults.has(pointer)) faults.set(pointer, message)
  }
  return faults
}

const CONFIRM = {
  title: 'Call a task that may change data?',
  body: <p>The agent runs the request: it may start work, make a booking, or cost money.</p>,
  yes: 'Call',
}

interface ChooseProps<T extends string> {
  label: string
  of: readonly (readonly [T, string])[]
  value: T
  choose(value: T): void
}

function Choose<T extends string>({ label, of, value, choose }: ChooseProps<T>) {
  const id = useId()
  if (of.length < 2) return null
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => {
          const next = of.find(([one]) => one === event.currentTarget.value)
          if (next) choose(next[0])
        }}
      >
        {of.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </select>
    </div>
  )
}
