// kill -9 of a server under load, at any moment and again and again: nothing that was accepted is
// lost, and nothing is sent twice that need not be (spec 3.2, 6.4).

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { breachesOf } from '../support/faults/invariants.ts'
import { drained, readLedger } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { createDice, type Dice } from '../support/faults/random.ts'
import { type Receiver, startReceiver } from '../support/faults/receiver.ts'
import { type Answered, type Seller, startSeller } from '../support/faults/seller.ts'

const ROUNDS = Number(process.env.ADWIRE_FAULT_ROUNDS ?? 2)
const TASKS_PER_ROUND = 24
const LATEST_KILL_MS = 400
const MOST_WEBHOOKS = 60
const LONGEST_LOAD_MS = 3_000
const DRAIN_MS = 180_000

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test(
    `spec 6.4: killed ${ROUNDS} times under load loses nothing and repeats only what it must`,
    async () => {
      const dice = createDice()
      const place = await createPlace(store)
      onTestFinished(place.drop)
      const now = { round: 0 }
      const receivers = await receiversOf(3, now)
      const answers: Answered[] = []

      for (; now.round < ROUNDS; now.round++) {
        const seller = await startSeller(place)
        const load = beginLoad(seller, receivers, dice, now.round)
        await killAtSomeMoment(seller, receivers, dice)
        answers.push(...(await load))
      }

      // What the dice killed may have accepted nothing at all, so the last one works undisturbed.
      const seller = await startSeller(place)
      answers.push(...(await beginLoad(seller, receivers, dice, now.round)))
      await drained(place.database(), DRAIN_MS)
      expect(await seller.stop(), `seed ${dice.seed}`).toBe(0)
      const ledger = await readLedger(place.database())
      const seen = receivers.flatMap((receiver) => receiver.seen)
      expect(breachesOf(ledger, seen), `seed ${dice.seed}`).toEqual([])
      expect(lostOf(answers, ledger.tasks), `seed ${dice.seed}`).toEqual([])
      expect(seen.length, `seed ${dice.seed}: receivers saw nothing`).toBeGreaterThan(0)
      report(`${store}, seed ${dice.seed}`, answers, ledger.attempts)
    },
    120_000 + DRAIN_MS + ROUNDS * 30_000,
  )
})

/** On each, paths that answer at once, slowly, or with 503 at first. */
async function receiversOf(count: number, now: { round: number }): Promise<Receiver[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const refused = new Map<string, number>()
      const receiver = await startReceiver(async ({ path }) => {
        if (path.startsWith('/slow')) await sleep(200)
        // Twice for each address and in its own round, so that no circuit opens and no pause is long.
        if (!path.startsWith(`/unwell-${now.round}-`)) return 200
        refused.set(path, (refused.get(path) ?? 0) + 1)
        return (refused.get(path) ?? 0) <= 2 ? 503 : 200
      })
      onTestFinished(receiver.close)
      return receiver
    }),
  )
}

const PATHS = ['quick', 'quick', 'slow', 'unwell']

async function beginLoad(
  seller: Seller,
  receivers: readonly Receiver[],
  dice: Dice,
  round: number,
): Promise<Answered[]> {
  const calls = Array.from({ length: TASKS_PER_ROUND }, (_, n) => {
    const steps = 1 + dice.below(3)
    // Some want no webhook, and must get none.
    if (dice.below(8) === 0) return seller.simulate({ steps })
    const path = PATHS[dice.below(PATHS.length)]
    const own = path === 'unwell' ? `-${round}-${n}` : ''
    const webhook = receivers[dice.below(receivers.length)]?.url(`/${path}${own}`)
    return seller.simulate({ steps, ...(webhook ? { webhook } : {}) })
  })
  return (await Promise.all(calls)).filter((answer) => answer !== undefined)
}

/** Some time after the load began, or after the given number of further webhooks; sometimes during a stop. */
async function killAtSomeMoment(
  seller: Seller,
  receivers: readonly Receiver[],
  dice: Dice,
): Promise<void> {
  const seen = () => receivers.reduce((sum, receiver) => sum + receiver.seen.length, 0)
  const enough = seen() + dice.below(MOST_WEBHOOKS)
  const isEarly = dice.below(4) === 0
  const latest = Date.now() + (isEarly ? dice.below(LATEST_KILL_MS) : LONGEST_LOAD_MS)
  while (Date.now() < latest && (isEarly || seen() < enough)) await sleep(1)
  if (dice.below(3) === 0) {
    seller.child.kill('SIGTERM')
    await sleep(dice.below(LATEST_KILL_MS / 2))
  }
  await seller.kill()
}

/** Tasks that were reported to a caller but do not exist, or for which not all steps were reported. */
function lostOf(
  answers: readonly Answered[],
  tasks: readonly { task_id: string; history: readonly string[] }[],
): string[] {
  const known = new Map(tasks.map((task) => [task.task_id, task.history.join()]))
  return answers.flatMap(({ status, task_id, steps }) => {
    if (status !== 202 || task_id === undefined) return []
    const wanted = [...Array<string>(steps).fill('working'), 'completed'].join()
    const history = known.get(task_id)
    return history === wanted ? [] : [`${task_id} was accepted and went through ${history}`]
  })
}

function report(
  title: string,
  answers: readonly Answered[],
  attempts: readonly { error_message: string | null }[],
): void {
  if (process.env.ADWIRE_FAULT_ROUNDS === undefined) return
  const unknown = attempts.filter(({ error_message: message }) => message?.includes('unknown'))
  const reported = answers.filter(({ status }) => status === 202).length
  console.log(
    `${title}: ${ROUNDS} kills, ${reported} tasks accepted, ${attempts.length} attempts, ` +
      `${unknown.length} of them cut off`,
  )
}
