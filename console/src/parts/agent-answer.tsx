// An agent's answer to a call; and while the work continues there, its status, polled automatically.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { CallAnswer } from '../../../src/console/api/agents.ts'
import { api } from '../api/client.ts'
import { sentence } from '../words.ts'
import { Action } from './action.tsx'
import type { Called } from './agent-call.tsx'
import { Badge, type Tone } from './badge.tsx'
import { Id } from './copy.tsx'
import { Json } from './json.tsx'
import { Facts, Panel } from './panel.tsx'
import { lasting } from './time.tsx'

interface Props {
  answer: CallAnswer
  called: Called
  show(answer: CallAnswer): void
}

export function AgentAnswer({ answer, called, show }: Props) {
  const { ok, status, message, error, task_id, goes_on, body, progress, transport } = answer
  const tone: Tone = !ok ? 'bad' : goes_on ? 'info' : 'good'
  return (
    <Panel
      title="Answer"
      aside={<Badge tone={tone}>{status ?? (ok ? 'answered' : (error?.kind ?? 'failed'))}</Badge>}
    >
      <div class="stack" aria-live="polite">
        {message !== undefined && <p class="wrap-anywhere">{message}</p>}
        {error && <ErrorWords error={error} />}
        <Facts
          of={[
            ['Took', lasting(answer.duration_ms)],
            ['Transport', transport?.toUpperCase()],
            ['Task id', task_id !== undefined && <Id text={task_id} what="task id" wraps />],
          ]}
        />
        {goes_on && task_id !== undefined && (
          <Following taskId={task_id} called={called} show={show} />
        )}
        {progress && <Json value={progress} what="progress" />}
        {body && <Json value={body} what="answer" />}
      </div>
    </Panel>
  )
}

const RECOVERY_WORDS: Readonly<Record<string, string>> = {
  transient: 'A retry later may succeed.',
  correctable: 'Change the request and retry.',
  terminal: 'A retry will not succeed.',
}

function ErrorWords({ error }: { error: NonNullable<CallAnswer['error']> }) {
  const { code, message, recovery, field, http_status, retry_after } = error
  return (
    <div class="stack tight">
      <p class="bad wrap-anywhere">
        {code !== undefined && <code>{code}</code>} {sentence(message)}
      </p>
      <p class="small soft wrap-anywhere">
        {RECOVERY_WORDS[recovery ?? ''] ?? ''}
        {retry_after !== undefined && ` Wait ${retry_after} s first.`}
        {field !== undefined && ` Field: ${field}.`}
        {http_status !== undefined && ` HTTP ${http_status}.`}
      </p>
    </div>
  )
}

const FIRST_MS = 1_500
const MOST_MS = 15_000
const MOST_POLLS = 200

interface FollowingProps {
  taskId: string
  called: Called
  show(answer: CallAnswer): void
}

function Following({ taskId, called, show }: FollowingProps) {
  const isOn = useSignal(true)
  const fault = useSignal<string | undefined>(undefined)
  const ask = async (): Promise<boolean> => {
    const answered = await api('POST /agents/follow', { body: { ...called, task_id: taskId } })
    fault.value = answered.ok ? undefined : answered.fault.message
    if (!answered.ok) return true
    show(answered.value)
    return answered.value.goes_on
  }
  useEffect(() => {
    if (!isOn.value) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isLeft = false
    const later = (pauseMs: number, polls: number) => {
      timer = setTimeout(async () => {
        const goesOn = await ask()
        if (isLeft || !goesOn) return
        if (polls >= MOST_POLLS) isOn.value = false
        else later(Math.min(pauseMs * 1.3, MOST_MS), polls + 1)
      }, pauseMs)
    }
    later(FIRST_MS, 1)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [isOn.value, taskId])
  return (
    <div class="stack tight">
      <p class="soft">
        {isOn.value
          ? 'The agent is still working. Its status is polled until the task ends.'
          : 'The agent is still working. Its status is no longer polled.'}
      </p>
      {fault.value !== undefined && <p class="bad wrap-anywhere">{fault.value}</p>}
      <div class="row wrap">
        <button
          type="button"
          class="button small"
          onClick={() => {
            isOn.value = !isOn.value
          }}
        >
          {isOn.value ? 'Stop polling' : 'Poll again'}
        </button>
        <Action
          label="Cancel the task"
          kind="danger"
          small
          run={() => api('POST /agents/cancel', { body: { ...called, task_id: taskId } })}
          done={(reported) =>
            reported.ok
              ? `The agent accepted it: ${reported.status ?? 'answered'}.`
              : `The agent refused it: ${reported.error?.message ?? 'no reason given'}`
          }
          onDone={() => {
            ask()
          }}
          confirm={{
            title: 'Cancel the task?',
            body: <p>The console asks the agent to cancel it.</p>,
            yes: 'Cancel the task',
          }}
        />
      </div>
    </div>
  )
}
