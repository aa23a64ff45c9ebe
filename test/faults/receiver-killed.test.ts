// kill -9 of a buyer's receiver under load, before and after its commits, again and again, while
// sellers send until they are acknowledged (spec 6.4): acknowledged means stored, and each message is
// applied once.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
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

const ROUNDS = Number(process.env.ADWIRE_FAULT_ROUNDS ?? 2)
const MESSAGES_PER_ROUND = 40
const SPREAD_MS = 250
const LATEST_STOP_MS = 60
const LONGEST_LOAD_MS = 4_000
const RETRY_MS = 80
/** A claim stays with a dead process for 5 seconds. */
const DRAIN_MS = 120_000

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
      const seen: Seen = { begun: 0, acknowledged: 0 }
      for (let round = 0; round < ROUNDS; round++) {
        for (const message of messagesOf(senders)) {
          load.push(sendUntilStored({ ...message, fleet, dice, seen }))
        }
        const n = dice.below(instances)
        const counts = countsOf(seen, place.database(), outs[n]!)
        await killAt(MOMENTS[round % MOMENTS.length]!, { victim: fleet[n]!, counts, dice })
        fleet[n] = await begin(n)
      }
      expect(seen.acknowledged, `seed ${dice.seed}: all kills came early`).toBeGreaterThan(0)
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
    60_000 + 2 * DRAIN_MS + ROUNDS * 30_000,
  )
})

/** Each of a task of its own; now and then two sellers use the same key. */
function messagesOf(senders: readonly [Sender, Sender]) {
  return Array.from({ length: MESSAGES_PER_ROUND / 2 }, () => envelope()).flatMap((body, n) => [
    { sender: senders[0], body },
    { sender: senders[1], body: n % 5 === 0 ? body : envelope() },
  ])
}

/** Of all requests so far. */
interface Seen {
  begun: number
  acknowledged: number
}

interface Sending {
  sender: Sender
  body: Record<string, unknown>
  fleet: readonly ReceiveProcess[]
  dice: Dice
  seen: Seen
}

/** As a sender does: again until a 2xx, each time with a fresh nonce; and once more after it. */
async function sendUntilStored({ sender, body, fleet, dice, seen }: Sending): Promise<Sent> {
  const answers: string[] = []
  // Spread over the round, so that a kill at any moment finds some under way.
  await sleep(dice.below(SPREAD_MS))
  for (let stored = 0; stored < 2; ) {
    const { url } = fleet[dice.below(fleet.length)]!
    const signed = await sender.sign(body)
    seen.begun += 1
    const answer = await post(url, signed).catch(() => undefined)
    answers.push(returned(answer))
    if (answer?.status === 200) {
      stored += 1
      seen.acknowledged += 1
    } else {
      await sleep(RETRY_MS)
    }
  }
  return { sender, body, answers }
}

const returned = (answer: Answer | undefined): string =>
  answer ? `${answer.status} ${answer.code ?? answer.outcome}` : 'none'

/** What a kill is timed by, so that no part of the work is left out. */
const MOMENTS = ['stored', 'acknowledged', 'written', 'begun'] as const
type Moment = (typeof MOMENTS)[number]
type Counts = Record<Moment, () => number | Promise<number>>

function countsOf(seen: Seen, { read }: Database, out: string): Counts {
  return {
    begun: () => seen.begun,
    stored: async () => {
      const row = await read.get<{ n: number }>('SELECT max(message_id) AS n FROM webhook_inbox')
      return row?.n ?? 0
    },
    acknowledged: () => seen.acknowledged,
    written: () => statSync(out).size / LINE_BYTES,
  }
}

/** About. */
const LINE_BYTES = 450

/** After so much more of one kind was done; at times amid a stop. */
async function killAt(
  moment: Moment,
  { victim, counts, dice }: { victim: ReceiveProcess; counts: Counts; dice: Dice },
): Promise<void> {
  const enough = (await counts[moment]()) + 1 + dice.below(MESSAGES_PER_ROUND / 4)
  const latest = Date.now() + LONGEST_LOAD_MS
  // Without a pause: what is to be hit is the very next step.
  while (Date.now() < latest && (await counts[moment]()) < enough) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (dice.below(4) === 0) {
    victim.child.kill('SIGTERM')
    await sleep(dice.below(LATEST_STOP_MS))
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
