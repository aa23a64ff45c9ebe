// Whether repeating a call is safe (spec 7.3): the same request with the same key takes effect once, and a different
// one is refused.

import { type Check, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import type { AgentContext } from './context.ts'
import { type TrialRun, trialRun } from './rehearsal.ts'

const group = 'idempotency'

export const IDEMPOTENCY_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'idempotency-replay',
    group,
    writes: true,
    title: 'the same request under the same key is done once and answered alike',
    why: 'a caller whose connection broke repeats its call, and would buy twice',
    fix: 'keep the answer under (caller, task, idempotency_key) for a day, and give it again',
    run: (context) => onAnswers(context, checkReplay),
  },
  {
    id: 'idempotency-conflict',
    group,
    writes: true,
    title: 'another request under the same key is refused',
    why: 'a caller that reuses a key by mistake would assume that both requests were processed',
    fix: 'compare the request with the one of the key, and answer IDEMPOTENCY_CONFLICT (409)',
    run: (context) =>
      onAnswers(context, ({ conflict }) => {
        if (conflict.ok) return verdictOf([`it is answered as ${quotedValue(conflict.status)}`])
        if (conflict.code === 'IDEMPOTENCY_CONFLICT') return verdictOf([])
        return verdictOf([`it is refused with ${quotedValue(conflict.code ?? conflict.message)}`])
      }),
  },
]

type Done = Extract<TrialRun, { ok: true }>

async function onAnswers(context: AgentContext, check: (done: Done) => Verdict): Promise<Verdict> {
  const done = await trialRun(context)
  if (!done.ok) return skipped(done.reason)
  const { answer } = done.plain
  if (!answer.ok) return skipped(`${done.task} was refused: ${quotedValue(answer.message)}`)
  return check(done)
}

function checkReplay({ plain, replay }: Done): Verdict {
  if (!replay.ok) return verdictOf([`the repetition is refused: ${quotedValue(replay.message)}`])
  if (replay.body.task_id !== plain.taskId) {
    return verdictOf([
      `it is another task: ${quotedValue(plain.taskId)}, then ${quotedValue(replay.body.task_id)}`,
    ])
  }
  if (plain.taskId === undefined && replay.body.replayed !== true) {
    return verdictOf(['the repetition is not marked as replayed'])
  }
  return verdictOf([])
}
