// kill -9 of a buyer's receiver under load, before and after its commits, again and again, while
// sellers send until they are acknowledged (spec 6.4): acknowledged means stored, and each message is
// applied once.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createInboxStore } from '../../src/storage/stores/webhook-inbox.ts'
import { folder } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { groupBy } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { createDice, type Dice } from '../support/faults/random.ts'
import { linesIn, type ReceiveProcess, startReceive } from '../support/faults/receiver-process.ts'
import {
  type Answer,
  envelope,
  post,
  type Sender,
  startSender,
} from '../support/faults/receiver-sender.ts'

const ROUNDS = Number(process.env.ADWIRE_FAULT_ROUNDS ?? 3)
const MESSAGES_PER_ROUND = 40
const LATEST_KILL_MS = 250
const RETRY_MS = 80
/** A claim stays with a dead process for 5 seconds. */
const DRAIN_MS = 20_000

interface Sent {
  sender: Sender
  body: Record<string, unknown>
  answers: string[]
}

describe.each([
  ['sqlite', 1],
  ['postgres', 2],
] as const)('receivers on %s', (store, instances) => {
  test(
    `spec 6.4: killed ${ROUNDS} times under load, they apply each acknowledged message once`,
    async () => {
      const dice = createDice()
      const place = await createPlace(store)
      onTestFinished(place.drop)
      const senders = [await startSender(), await startSender()] as const
      const outs = Array.from({ length: instances }, () => join(folder(), 'out'))
      const trust = senders.flatMap(({ agentUrl }) => ['--trust', agentUrl])
      const begin = (n: number) => startReceive(place, [...trust, '--out', outs[n]!])
      const fleet = await Promise.all(outs.map((_, n) => begin(n)))

      const load: Promise<Sent>[] = []
      const acknowledged = { count: 0 }
      for (let round = 0; round < ROUNDS; round++) {
        for (const { sender, body } of messagesOf(senders)) {
          load.push(sendUntilStored({ sender, body, fleet, dice, acknowledged }))
        }
        const victim = dice.below(instances)
        await killAtSomeMoment(fleet[victim]!, acknowledged, dice)
        fleet[victim] = await begin(victim)
      }
      const sent = await Promise.all(load)

      const lines = () => outs.flatMap(linesIn)
      await eventually(() => expect(lines().length).toBeGreaterThanOrEqual(sent.length), {
        timeoutMs: DRAIN_MS,
      })
      await eventually(
        async () => {
          const { waiting } = await createInboxStore(place.database()).stats()
          expect(waiting).toEqual({ pending: 0, leased: 0, dead: 0 })
        },
        { timeoutMs: DRAIN_MS },
      )
      for (const server of fleet) expect(await server.stop(), `seed ${dice.seed}`).toBe(0)
      expect(breachesOf(sent, lines()), `seed ${dice.seed}`).toEqual([])
      // Without any of these the kills came when nothing was under way.
      const repeated = sent.filter(({ answers }) => answers.length > 2)
      expect(repeated.length, `seed ${dice.seed}: no kill cut anything off`).toBeGreaterThan(0)
      report(`${store}, seed ${dice.seed}`, sent)
    },
    60_000 + ROUNDS * 10_000,
  )
})

/** Each of a task of its own; now and then two sellers use the same key. */
function messagesOf(senders: readonly [Sender, Sender]) {
  return Array.from({ length: MESSAGES_PER_ROUND / 2 }, () => envelope()).flatMap((body, n) => [
    { sender: senders[0], body },
    { sender: senders[1], body: n % 5 === 0 ? body : envelope() },
  ])
}

interface Sending {
  sender: Sender
  body: Record<string, unknown>
  fleet: readonly ReceiveProcess[]
  dice: Dice
  acknowledged: { count: number }
}

/** As a sender does: again until a 2xx, each time with a fresh nonce; and once more after it. */
async function sendUntilStored({
  sender,
  body,
  fleet,
  dice,
  acknowledged,
}: Sending): Promise<Sent> {
  const answers: string[] = []
  // Spread over the round, so that a kill at any moment finds some under way.
  await sleep(dice.below(LATEST_KILL_MS))
  for (let stored = 0; stored < 2; ) {
    const { url } = fleet[dice.below(fleet.length)]!
    const answer = await post(url, await sender.sign(body)).catch(() => undefined)
    answers.push(shown(answer))
    if (answer?.status === 200) {
      stored += 1
      acknowledged.count += 1
    } else {
      await sleep(RETRY_MS)
    }
  }
  return { sender, body, answers }
}

const shown = (answer: Answer | undefined): string =>
  answer ? `${answer.status} ${answer.code ?? answer.outcome}` : 'none'

/** After some time, or after so many more acknowledgements; at times amid a stop. */
async function killAtSomeMoment(
  victim: ReceiveProcess,
  acknowledged: { count: number },
  dice: Dice,
): Promise<void> {
  const enough = acknowledged.count + dice.below(MESSAGES_PER_ROUND)
  const latest = Date.now() + 50 + dice.below(LATEST_KILL_MS)
  while (Date.now() < latest && acknowledged.count < enough) await sleep(1)
  if (dice.below(4) === 0) {
    victim.child.kill('SIGTERM')
    await sleep(dice.below(LATEST_KILL_MS / 4))
  }
  await victim.kill()
}

type Lines = ReturnType<typeof linesIn>

/** What is missing, was applied twice, or is not what was sent; and every answer that is no retry's. */
function breachesOf(sent: readonly Sent[], lines: Lines): string[] {
  const idOf = (sender: string, key: unknown) => `${sender} ${key}`
  const byId = groupBy(lines, (line) => idOf(line.sender, line.idempotency_key))
  const breaches: string[] = []
  for (const { sender, body, answers } of sent) {
    const id = idOf(sender.agentUrl, body.idempotency_key)
    const [line, ...more] = byId.get(id) ?? []
    byId.delete(id)
    if (!line) breaches.push(`${id} was acknowledged and not applied: ${answers}`)
    else if (!line.applied) breaches.push(`${id} was taken for stale`)
    else if (JSON.stringify(line.payload) !== JSON.stringify(body)) {
      breaches.push(`${id} was applied with another body`)
    }
    if (more.length > 0) breaches.push(`${id} was applied ${1 + more.length} times: ${answers}`)
    if (answers.at(-1) !== '200 duplicate') breaches.push(`${id}: ${answers}`)
    if (answers.filter((answer) => answer === '200 accepted').length > 1) {
      breaches.push(`${id} was new twice: ${answers}`)
    }
    const odd = answers.filter((answer) => !/^(none|200|503)/.test(answer))
    if (odd.length > 0) breaches.push(`${id} was answered ${odd}`)
  }
  return [...breaches, ...[...byId.keys()].map((id) => `${id} was never sent`)]
}

function report(title: string, sent: readonly Sent[]): void {
  if (process.env.ADWIRE_FAULT_ROUNDS === undefined) return
  const attempts = sent.reduce((sum, { answers }) => sum + answers.length, 0)
  const unheard = sent.filter(({ answers }) => !answers.includes('200 accepted'))
  console.log(
    `${title}: ${ROUNDS} kills, ${sent.length} messages, ${attempts} requests, ` +
      `${unheard.length} stored without the sender hearing of it`,
  )
}
