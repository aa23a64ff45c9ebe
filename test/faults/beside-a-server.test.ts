// Other processes on the data of a server under load (spec 6.4): a second server is refused a SQLite
// folder, and the commands of an operator work and disturb nothing.

import { describe, expect, onTestFinished, test } from 'vitest'
import { adwire } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { breachesOf } from '../support/faults/invariants.ts'
import { drained, readLedger } from '../support/faults/ledger.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { type Receiver, startReceiver } from '../support/faults/receiver.ts'
import { type Seller, startSeller } from '../support/faults/seller.ts'

const ROUNDS = 2
const TASKS_PER_ROUND = 8
const DEAD_TASKS = 2
/** A task of one step has two events. */
const DEAD_DELIVERIES = ROUNDS * DEAD_TASKS * 2
/** Answers are quick; a busy machine must not make them late. */
const ENV = { ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '5', ADWIRE_LEASE_SECONDS: '14' }

interface Returned {
  delivery_id: number
  state: string
  url: string
}

test('spec 6.4: a second server on a SQLite folder is refused while the first is under load', async () => {
  const place = await createPlace('sqlite')
  onTestFinished(place.drop)
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const seller = await startSeller(place, ENV)
  const load = runLoad(seller, receiver, '/hook')
  const second = await adwire(['serve', '--port', '0', '--demo', ...place.args], place.env)
  expect([second.code, second.stdout]).toEqual([1, ''])
  expect(second.stderr).toMatch(/^error: another adwire server is running on the data folder .*\n$/)
  await load
  await drained(place.database(), 120_000)
  expect(breachesOf(await readLedger(place.database()), receiver.seen)).toEqual([])
})

describe.each(['sqlite', 'postgres'] as const)('beside a server on %s', (store) => {
  test('spec 6.4: deliveries are listed, retried and cancelled while it sends', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const receiver = await startReceiver(({ path }) => (path === '/dead' ? 503 : 200))
    onTestFinished(receiver.close)
    const seller = await startSeller(place, ENV)
    const cancelled = new Set<number>()

    for (let round = 0; round < ROUNDS; round++) {
      const load = [
        runLoad(seller, receiver, '/hook'),
        runLoad(seller, receiver, '/dead', DEAD_TASKS),
      ]
      const waiting = (await list(place)).filter(({ url }) => url.endsWith('/dead'))
      const [first = [], second = []] = waiting.map(({ delivery_id }) => [delivery_id])
      const [gone, retried] = await Promise.all([
        change(place, 'cancel', first),
        change(place, 'retry', second),
      ])
      for (const id of gone) cancelled.add(id)
      // What an operator has sent again is not cancelled any more.
      for (const id of retried) cancelled.delete(id)
      await Promise.all(load)
    }
    await cancelAllDead(place, cancelled)

    await drained(place.database(), 120_000)
    const ledger = await readLedger(place.database())
    expect(breachesOf(ledger, receiver.seen)).toEqual([])
    for (const { delivery_id, state, endpoint } of ledger.deliveries) {
      const wanted = endpoint.endsWith('/dead') ? 'cancelled' : 'delivered'
      expect([delivery_id, state]).toEqual([delivery_id, wanted])
      expect(cancelled.has(delivery_id)).toBe(wanted === 'cancelled')
    }
    expect(cancelled.size).toBe(DEAD_DELIVERIES)
    expect(seller.output.stderr).toBe('')
  })
})

async function runLoad(
  seller: Seller,
  receiver: Receiver,
  path: string,
  tasks = TASKS_PER_ROUND,
): Promise<void> {
  const webhook = receiver.url(path)
  const answers = await Promise.all(
    Array.from({ length: tasks }, () => seller.simulate({ webhook })),
  )
  expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 202))
}

async function list(place: Place): Promise<Returned[]> {
  const command = ['deliveries', 'list', '--json', '--limit', '1000', ...place.args]
  const { code, stdout, stderr } = await adwire(command, place.env)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Returned[]
}

/** Those that were done; of the others it was said in a line that they are not to be changed now. */
async function change(
  place: Place,
  what: 'retry' | 'cancel',
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const command = ['deliveries', what, ...ids.map(String), ...place.args]
  const { code, stdout, stderr } = await adwire(command, place.env)
  const word = what === 'retry' ? 'retried' : 'cancelled'
  const done = [...stdout.matchAll(/^(\w+) (\d+)$/gm)].map(([, said, id]) => {
    expect(said).toBe(word)
    return Number(id)
  })
  expect(code).toBe(done.length === ids.length ? 0 : 2)
  const refusal = 'delivery \\d+ is (being sent now: try again in a moment|already \\w+)'
  if (code === 2) expect(stderr).toMatch(new RegExp(`^error: (${refusal}(; )?)+\n$`))
  return done
}

/** One that is being sent is cancelled when that has ended. */
async function cancelAllDead(place: Place, cancelled: Set<number>): Promise<void> {
  await eventually(
    async () => {
      const dead = (await list(place)).filter(({ url }) => url.endsWith('/dead'))
      const open = dead.filter(({ state }) => state !== 'cancelled')
      const ids = open.map(({ delivery_id }) => delivery_id)
      for (const id of await change(place, 'cancel', ids)) cancelled.add(id)
      expect(dead).toHaveLength(DEAD_DELIVERIES)
      expect(open).toEqual([])
    },
    { timeoutMs: 120_000 },
  )
}
