// The steps of a task that waits for an operator's approval (spec 3.2): it requests approval, reports by webhook
// that it is waiting, and after approval carries out the request in the transaction that ends the task. A rejected
// request was never started.

import { defined } from '../lib/defined.ts'
import type { Transaction } from '../lib/transaction.ts'
import { ProtocolError, taskError } from '../protocol/errors.ts'
import type { TaskRecord } from '../tasks/store.ts'
import type { AnsweredWork, EndedWork, StepOutcome, StepRun, Work } from '../tasks/work.ts'
import {
  type Approval,
  type DecisionPorts,
  decideApproval,
  type RequestedBuy,
} from './approvals.ts'
import { answerSeller, isRequested } from './ask-buyer.ts'

/** The stored state of the steps: which buy it is about, and why it waits. */
export interface ApprovalRun {
  media_buy_id: string
  hasRequested: boolean
  /** Number of messages between seller and buyer that the task has reported. Default none. */
  reported?: number
}

export interface ApprovedWork<Request, Response extends object> {
  task_type: string
  /** Why it waits, and for what: evaluated when the task begins. */
  question(
    tx: Transaction,
    run: { owner: string; media_buy_id: string; request: Request },
  ): Promise<{ reason: string; requested: RequestedBuy }>
  /** Carries out the request and returns the result; throws a ProtocolError if that is no longer possible. */
  perform(
    tx: Transaction,
    run: { task: TaskRecord; media_buy_id: string; request: Request },
  ): Promise<Response>
  /** Undoes what belongs to a task that ends without approval. */
  forget(tx: Transaction, run: { owner: string; media_buy_id: string }): Promise<void>
  begin: Work<Request, ApprovalRun, Response>['begin']
}

/** An operator's decision may take long: thirty days. */
const DEADLINE_MS = 30 * 24 * 60 * 60 * 1_000
/** How soon a step is repeated that ran before a decision was made. */
const LOOK_AGAIN_MS = 24 * 60 * 60 * 1_000

export interface ApprovalWorkPorts extends DecisionPorts {
  /** How many people have to approve a buy: 1 or 2. */
  approversFor(requested: RequestedBuy): number
  transact: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
}

export function approvalWork<Request, Response extends object>(
  ports: ApprovalWorkPorts,
  work: ApprovedWork<Request, Response>,
): Work<Request, ApprovalRun, Response> {
  const end = async (tx: Transaction, { task, state }: EndedWork<ApprovalRun>) => {
    await withdraw(ports, tx, task.task_id)
    await work.forget(tx, { owner: task.owner, media_buy_id: state.media_buy_id })
  }
  return {
    task_type: work.task_type,
    deadlineMs: DEADLINE_MS,
    begin: work.begin,
    step: async (run) => {
      try {
        return await step(ports, work, run)
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        const { owner } = run.task
        const { media_buy_id } = run.state
        const commit = (tx: Transaction) => work.forget(tx, { owner, media_buy_id })
        return { status: 'failed', errors: error.errors, commit }
      }
    },
    onInput: (tx, answered) => takeInput(ports, tx, answered),
    onCancel: end,
    onAbandon: end,
  }
}

type Outcome<Response extends object> = StepOutcome<ApprovalRun, Response>

async function step<Request, Response extends object>(
  ports: ApprovalWorkPorts,
  work: ApprovedWork<Request, Response>,
  { task, request, state }: StepRun<Request, ApprovalRun>,
): Promise<Outcome<Response>> {
  const { media_buy_id, hasRequested } = state
  const { task_id, owner, task_type } = task
  if (!hasRequested) {
    const { reason, requested } = await ports.transact((tx) =>
      work.question(tx, { owner, media_buy_id, request }),
    )
    return {
      status: 'input-required',
      reason,
      message: `${WAITS}: ${reason}`,
      errors: [taskError('APPROVAL_REQUIRED', reason, { details: { ...requested } })],
      state: { media_buy_id, hasRequested: true },
      commit: (tx) =>
        ports.approvals.ask(tx, {
          task_id,
          owner,
          task_type,
          media_buy_id,
          reason,
          requested,
          needed: ports.approversFor(requested),
        }),
    }
  }
  const approval = await ports.approvals.get(task_id)
  if (approval?.state === 'approved') {
    await tryOut(ports, (tx) => work.perform(tx, { task, media_buy_id, request }))
    return {
      status: 'completed',
      // All in the transaction that ends the task: `alsoTells` contains the whole result.
      result: {} as Response,
      alsoReports: (tx) => work.perform(tx, { task, media_buy_id, request }),
    }
  }
  if (approval?.state === 'rejected') {
    const why = approval.note === undefined ? '' : `: ${approval.note}`
    const error = taskError('TERMS_REJECTED', `the seller rejected it${why}`)
    const commit = (tx: Transaction) => work.forget(tx, { owner, media_buy_id })
    return { status: 'rejected', errors: [error], commit }
  }
  return approval
    ? reportTalk(ports, approval, state)
    : { status: 'wait', state, afterMs: LOOK_AGAIN_MS }
}

/** Reports a question to the buyer; once it is answered, the task waits for the seller again. */
function reportTalk<Response extends object>(
  { approvals }: ApprovalWorkPorts,
  approval: Approval,
  state: ApprovalRun,
): Outcome<Response> {
  const { task_id, talk, reason, requested } = approval
  // A message or decision during this step makes it due: the step must not postpone that.
  const commit = async (tx: Transaction) => {
    const now = await approvals.lock(tx, task_id)
    if (now?.state === approval.state && now.talk.length === talk.length) return
    throw new Error('a message or a decision arrived in the meantime: the step is run again')
  }
  const last = talk.at(-1)
  if (last === undefined || talk.length <= (state.reported ?? 0)) {
    return { status: 'wait', state, afterMs: LOOK_AGAIN_MS, commit }
  }
  const isQuestion = last.from === 'seller'
  const question = isQuestion ? last.text : undefined
  const details = { ...requested, ...defined({ question }) }
  return {
    status: 'input-required',
    reason: question ?? reason,
    message: isQuestion
      ? `question from the seller: ${last.text}`
      : `${WAITS}, with your answer: ${reason}`,
    errors: [taskError('APPROVAL_REQUIRED', reason, { details })],
    state: { ...state, reported: talk.length },
    commit,
  }
}

/** Carries it out and rolls it back, to detect whether it is still possible before the task ends with it. */
async function tryOut(
  { transact }: ApprovalWorkPorts,
  perform: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  await transact(async (tx) => {
    await perform(tx)
    throw new Undone()
  }).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error
  })
}

class Undone extends Error {}

const WAITS = 'it waits for the seller to decide'

/** An operator decides; the owner of the task may answer a question, or cancel the request with cancel_task. */
async function takeInput(
  ports: DecisionPorts,
  tx: Transaction,
  { task, input, by }: AnsweredWork<ApprovalRun>,
): Promise<void> {
  const isAnswer = by.principal_id === task.owner && input.approved === undefined
  if (isAnswer && (await isRequested(ports, tx, task.task_id))) {
    return answerSeller(ports, tx, { task_id: task.task_id, input, by: by.principal_id })
  }
  if (!by.scopes.includes('approver') && !by.scopes.includes('admin')) {
    const message = 'the seller has to decide: wait, or cancel with cancel_task'
    throw new ProtocolError('PERMISSION_DENIED', message)
  }
  const { approved, message: note } = input
  if (approved === undefined) {
    const message = '`approved` is required: true or false'
    const issues = [{ pointer: '/approved', message, keyword: 'required' }]
    throw new ProtocolError('INVALID_REQUEST', `/approved: ${message}`, { issues })
  }
  const { task_id } = task
  await decideApproval(ports, tx, { task_id, approved, note, by: by.principal_id })
}

async function withdraw(
  { approvals }: DecisionPorts,
  tx: Transaction,
  taskId: string,
): Promise<void> {
  const approval = await approvals.lock(tx, taskId)
  if (approval?.state !== 'waiting') return
  const gone = { state: 'withdrawn', note: undefined, decided_by: undefined } as const
  await approvals.decide(tx, taskId, gone)
}
