// Try an agent: query the capabilities at its address, pick a task, fill in its request, call it, and see every
// message.

import { useSignal } from '@preact/signals'
import type { AskAnswer } from '../../../src/console/api/agents.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { AgentAddress } from '../parts/agent-address.tsx'
import { AgentCall } from '../parts/agent-call.tsx'
import { AgentFound } from '../parts/agent-found.tsx'
import { AgentsTabs } from '../parts/agents-tabs.tsx'
import { Exchanges } from '../parts/exchanges.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel, ViewHead } from '../parts/panel.tsx'
import { changeQuery, query } from '../router.ts'
import { saveAgent } from '../saved-agents.ts'
import { mayAct } from '../session.ts'

/** The answer of the queried agent, with the key that was used: calls go to the same agent. */
interface ProbedAgent {
  answer: AskAnswer
  secret: string | undefined
}

export function View() {
  const requested = useSignal<ProbedAgent | undefined>(undefined)
  const chosen = query.value.get('task') ?? undefined
  const { answer, secret } = requested.value ?? {}
  const task = answer?.tasks.find(({ name }) => name === chosen)
  return (
    <>
      <ViewHead
        title="Agents"
        about="Read the capabilities of an agent and call its tasks. Requests are sent by this server, which blocks private addresses."
        actions={<AgentsTabs />}
      />
      {!mayAct() ? (
        <Panel title="Try an agent">
          <Notice title="Only operators can call agents">
            <p>
              A call can have effects at the other agent. As a viewer, you can read reports of the
              doctor.
            </p>
          </Notice>
        </Panel>
      ) : (
        <div class="columns">
          <div class="third stack">
            <AskForm
              show={(value) => {
                requested.value = value
              }}
            />
            {answer && <AgentFound answer={answer} />}
          </div>
          <div class="two-thirds stack">
            {!answer && (
              <Panel title="Tasks">
                <Notice title="No agent called yet">
                  <p>Enter the address of an agent. Its transports and tasks appear here.</p>
                </Notice>
              </Panel>
            )}
            {answer && <Tasks answer={answer} chosen={task?.name} />}
            {answer && task && (
              <AgentCall
                key={`${answer.url} ${task.name}`}
                answer={answer}
                task={task}
                secret={secret}
              />
            )}
            {answer && !task && <Exchanges of={answer.exchanges} title="How it was called" />}
          </div>
        </div>
      )}
    </>
  )
}

function AskForm({ show }: { show(requested: ProbedAgent | undefined): void }) {
  const url = useSignal(query.peek().get('url') ?? '')
  const secret = useSignal('')
  const isBusy = useSignal(false)
  const fault = useSignal<Fault | undefined>(undefined)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    isBusy.value = true
    fault.value = undefined
    const requested = url.value.trim()
    const key = secret.value.trim() || undefined
    const answered = await api('POST /agents/ask', {
      body: { url: requested, ...(key && { key }) },
    })
    isBusy.value = false
    if (!answered.ok) {
      fault.value = answered.fault
      show(undefined)
      return
    }
    if (answered.value.tasks.length > 0) saveAgent(requested)
    // A query may contain a secret, and browsers remember the address of this page.
    const isSame = query.peek().get('url') === requested
    changeQuery(
      { url: requested.includes('?') ? undefined : requested, ...(!isSame && { task: undefined }) },
      { replace: true },
    )
    show({ answer: answered.value, secret: key })
  }
  return (
    <Panel title="Agent">
      <form class="stack" onSubmit={submit}>
        <AgentAddress url={url} secret={secret} />
        {fault.value && (
          <p class="bad wrap-anywhere" role="alert">
            {fault.value.message}
          </p>
        )}
        <div>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            {isBusy.value ? 'Asking…' : 'Ask'}
          </button>
        </div>
      </form>
    </Panel>
  )
}

function Tasks({ answer, chosen }: { answer: AskAnswer; chosen: string | undefined }) {
  const { tasks } = answer
  const sought = useSignal('')
  const text = sought.value.trim().toLowerCase()
  const found = tasks.filter(({ name, description = '' }) =>
    `${name} ${description}`.toLowerCase().includes(text),
  )
  if (tasks.length === 0) {
    const needsKey = answer.transports.some(({ state }) => state === 'key_needed')
    return (
      <Panel title="Tasks">
        <Notice title={needsKey ? 'The agent requires a key' : 'No agent responds there'}>
          <p>
            {needsKey
              ? 'It lists its tasks only to known callers: enter a key of that agent.'
              : 'No HTTP, MCP or A2A endpoint was found at this address. The attempts are listed below.'}
          </p>
        </Notice>
      </Panel>
    )
  }
  return (
    <Panel title="Tasks" aside={`${tasks.length}`}>
      <div class="stack tight">
        <input
          class="input"
          type="search"
          data-search
          aria-label="Part of a task’s name"
          placeholder="Part of a task’s name"
          value={sought.value}
          onInput={(event) => {
            sought.value = event.currentTarget.value
          }}
        />
        <ul class="task-choice">
          {found.map(({ name, description, changes }) => (
            <li key={name}>
              <button
                type="button"
                aria-pressed={name === chosen}
                onClick={() => changeQuery({ task: name }, { replace: true })}
              >
                <span class="row between">
                  <code class="clip">{name}</code>
                  {changes && <span class="small warn">changes something</span>}
                </span>
                {description !== undefined && <span class="small soft">{description}</span>}
              </button>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="faint">No task matches.</p>}
      </div>
    </Panel>
  )
}
