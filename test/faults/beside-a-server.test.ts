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

const ROUNDS = 4
const TASKS_PER_ROUND = 8
/** Answers are quick; a busy machine must not make them late. */
const ENV = { ADWIRE_WEBHOOK_TIMEOUT_SECONDS: '5', ADWIRE_LEASE_SECONDS: '14' }

interface Shown {
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
  await drained(place.database(), 20_000)
  expect(breachesOf(await readLedger(place.database()), receiver.seen)).toEqual([])
}, 60_000)

describe.each(['sqlite', 'postgres'] as const)('beside a server on %s', (store) => {
  test('spec 6.4: deliveries are listed, retried and cancelled while it sends', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const receiver = await startReceiver(({ path }) => (path === '/dead' ? 503 : 200))
    onTestFinished(receiver.close)
    const seller = await startSeller(place, ENV)
    const cancelled = new Set<number>()

    for (let round = 0; round < ROUNDS; round++) {
      const load = [runLoad(seller, receiver, '/hook'), runLoad(seller, receiver, '/dead', 2)]
      const waiting = (await list(place)).filter(({ url }) => url.endsWith('/dead'))
      const [first, second] = waiting.map(({ delivery_id }) => delivery_id)
      const done = await Promise.all([
        ...(first === undefined ? [] : [change(place, 'cancel', first)]),
        ...(second === undefined ? [] : [change(place, 'retry', second)]),
      ])
      if (done[0]) cancelled.add(first as number)
      // What was taken back by an operator is not cancelled any more.
      if (done[1]) cancelled.delete(second as number)
      await Promise.all(load)
    }
    await cancelAllDead(place, cancelled)

    await drained(place.database(), 20_000)
    const ledger = await readLedger(place.database())
    expect(breachesOf(ledger, receiver.seen)).toEqual([])
    for (const { delivery_id, state, endpoint } of ledger.deliveries) {
      const wanted = endpoint.endsWith('/dead') ? 'cancelled' : 'delivered'
      expect([delivery_id, state]).toEqual([delivery_id, wanted])
      expect(cancelled.has(delivery_id)).toBe(wanted === 'cancelled')
    }
    expect(cancelled.size).toBe(ROUNDS * 2 * 2)
    expect(seller.output.stderr).toBe('')
  }, 120_000)
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

async function list(place: Place): Promise<Shown[]> {
  const command = ['deliveries', 'list', '--json', '--limit', '1000', ...place.args]
  const { code, stdout, stderr } = await adwire(command, place.env)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Shown[]
}

/** True when it was done; else it was said in a line that the delivery is not to be changed now. */
async function change(place: Place, what: 'retry' | 'cancel', id: number): Promise<boolean> {
  const { code, stdout, stderr } = await adwire(
    ['deliveries', what, String(id), ...place.args],
    place.env,
  )
  if (code === 0) {
    expect(stdout).toBe(`${what === 'retry' ? 'retried' : 'cancelled'} ${id}\n`)
    return true
  }
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^error: delivery \d+ is (being sent now: try again in a moment|\w+ already)\n$/,
  )
  return false
}

/** One that is being sent is cancelled when that has ended. */
async function cancelAllDead(place: Place, cancelled: Set<number>): Promise<void> {
  await eventually(
    async () => {
      const dead = (await list(place)).filter(({ url }) => url.endsWith('/dead'))
      const open = dead.filter(({ state }) => state !== 'cancelled')
      for (const { delivery_id } of open) {
        if (await change(place, 'cancel', delivery_id)) cancelled.add(delivery_id)
      }
      expect(dead).toHaveLength(ROUNDS * 2 * 2)
      expect(open).toEqual([])
    },
    { timeoutMs: 60_000 },
  )
}
