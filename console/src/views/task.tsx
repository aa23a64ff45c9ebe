// One task: its status and progress, its request and answer, its approval, its webhooks.

import { useSignal } from '@preact/signals'
import type { Task } from '../../../src/console/api/tasks.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { ApprovalFacts, DecisionActions } from '../parts/approval.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Json } from '../parts/json.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { Timeline } from '../parts/timeline.tsx'
import type { Params } from '../paths.ts'
import { hrefOf } from '../router.ts'
import { APPROVAL_WORDS, sentence, spaced, TASK_WORDS, titled } from '../words.ts'

export function View({ params }: { params: Params }) {
  const { task_id = '' } = params
  const { value, fault, refresh, show } = useData('GET /tasks/:task_id', { params: { task_id } }, [
    'tasks',
    'approvals',
  ])
  return (
    <>
      <ViewHead
        title={value ? titled(value.task_type) : 'Task'}
        within={{ title: 'Tasks', path: '/tasks' }}
        actions={value && <Actions task={value} show={show} refresh={refresh} />}
      >
        {value && <WordBadge word={TASK_WORDS[value.status]} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole task={value} />}
    </>
  )
}

function Whole({ task }: { task: Task }) {
  const { approval, result } = task
  return (
    <div class="columns">
      <div class="stack two-thirds">
        <LaneHealth task={task} />
        {approval && (
          <Panel title="Approval" aside={<WordBadge word={APPROVAL_WORDS[approval.state]} />}>
            <ApprovalFacts approval={approval} />
          </Panel>
        )}
        {result !== undefined && (
          <Panel title="Result">
            <Json value={result} what="result" />
          </Panel>
        )}
        <History task={task} />
      </div>
      <div class="stack third">
        <About task={task} />
      </div>
    </div>
  )
}

/** Its current step, or why it ended this way. */
function LaneHealth({ task }: { task: Task }) {
  const { message, errors, input_required, progress_percent } = task
  if (!message && !errors && !input_required && progress_percent === undefined) return null
  return (
    <Panel title="Status">
      <div class="stack tight">
        {message !== undefined && <p class="wrap-anywhere">{sentence(message)}</p>}
        {progress_percent !== undefined && (
          <div class="row">
            <progress class="meter" max={100} value={progress_percent} aria-label="Progress" />
            <span class="number">{Math.round(progress_percent)} %</span>
          </div>
        )}
        {input_required && !message?.includes(input_required.reason) && (
          <p class="warn wrap-anywhere">Waits for input: {input_required.reason}</p>
        )}
        {errors?.map(({ code, message: said }) => (
          <p key={code + said} class="wrap-anywhere">
            <code class="bad">{code}</code> {said}
          </p>
        ))}
      </div>
    </Panel>
  )
}

function History({ task: { history } }: { task: Task }) {
  return (
    <Panel title="History" aside="questions and answers">
      {history.length === 0 ? (
        <p class="faint">Nothing is kept.</p>
      ) : (
        <Timeline
          label="Questions and answers, oldest first"
          moments={history.map(({ at, type, data }, index) => ({
            key: String(index),
            tone: type === 'request' ? 'info' : 'good',
            title: type === 'request' ? 'Asked' : 'Answered',
            at,
            children: <Json value={data} what={type} />,
          }))}
        />
      )}
    </Panel>
  )
}

function About({ task }: { task: Task }) {
  const deliveries = hrefOf(`/deliveries?${new URLSearchParams({ task_id: task.task_id })}`)
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Task id', <Id key="id" text={task.task_id} what="task id" wraps />],
          [
            'Context id',
            task.context_id !== undefined && <Id text={task.context_id} what="context id" wraps />,
          ],
          ['Domain', spaced(task.domain)],
          ['Principal', task.principal_name ?? task.principal_id],
          [
            'Webhooks',
            task.has_webhook ? <a href={deliveries}>Its deliveries</a> : 'None registered',
          ],
          ['Created', <Time key="created" at={task.created_at} as="full" />],
          ['Updated', <Time key="updated" at={task.updated_at} as="full" />],
          ['Completed', task.completed_at && <Time at={task.completed_at} as="full" />],
          ['Next step', task.next_step_at && <Time at={task.next_step_at} as="full" />],
          ['Must end by', !task.completed_at && <Time at={task.deadline_at} as="full" />],
          ['Steps that failed in a row', task.tries > 0 && task.tries],
        ]}
      />
    </Panel>
  )
}

interface ActionsProps {
  task: Task
  show(value: Task): void
  refresh(): void
}

function Actions({ task, show, refresh }: ActionsProps) {
  const reason = useSignal('')
  const { task_id, may, approval } = task
  return (
    <>
      {may.cancel && (
        <Action
          label="Cancel"
          kind="danger"
          run={() =>
            api('POST /tasks/:task_id/cancel', {
              params: { task_id },
              body: reason.peek().trim() === '' ? {} : { reason: reason.peek().trim() },
            })
          }
          done="The task is canceled."
          onDone={show}
          confirm={{
            title: 'Cancel this task?',
            body: (
              <>
                <p>Completed steps are undone where possible. The caller is notified.</p>
                <Field label="Reason (optional)" value={reason} maxLength={500} />
              </>
            ),
            yes: 'Cancel the task',
          }}
        />
      )}
      {may.decide && approval && <DecisionActions approval={approval} onDone={refresh} />}
    </>
  )
}
