// A signature that comes a second time (spec 5, 8): to the same receiver, to another one of the fleet,
// after a kill; and a key that uses up all the nonces it may have.

import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/sql/database.ts'
import { createPlace } from '../support/faults/place.ts'
import { startFleet } from '../support/faults/receiver-fleet.ts'
import { startReceive } from '../support/faults/receiver-process.ts'
import {
  envelope,
  post,
  type Sender,
  startSender,
  verdict,
} from '../support/faults/receiver-sender.ts'

const REPLAYED = '401 webhook_signature_replayed'
const ABUSE = '401 webhook_signature_rate_abuse'
const CAP = 100_000
/** Of these the receiver sees; the others are put into its database. */
const SEEN = process.env.ADWIRE_FAULT_ROUNDS === undefined ? 300 : 10_000
const AT_ONCE = 100
/** Far above what is needed, far below a leak of a kilobyte for each nonce. */
const MOST_GROWTH_MB = 96

describe.each(['sqlite', 'postgres'] as const)('four receivers on %s', (store) => {
  test('spec 5: take a nonce once, of all of them together', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const sender = await startSender()
    const { urls } = await startFleet(place, { trust: [sender.agentUrl] })
    const once = await sender.sign(envelope())
    expect(verdict(await post(urls[0]!, once))).toBe('200 accepted')
    for (const url of urls) expect(verdict(await post(url, once))).toBe(REPLAYED)

    // At the same moment everywhere.
    for (let round = 0; round < 10; round++) {
      const signed = await sender.sign(envelope())
      const answers = await Promise.all([...urls, ...urls].map((url) => post(url, signed)))
      const wanted = ['200 accepted', ...Array<string>(answers.length - 1).fill(REPLAYED)]
      expect(answers.map(verdict).toSorted()).toEqual(wanted)
    }
  })
})

describe.each(['sqlite', 'postgres'] as const)('a receiver on %s', (store) => {
  test(
    'spec 5, 8: knows a nonce after a kill, and bounds how many a key may have',
    async () => {
      const place = await createPlace(store)
      onTestFinished(place.drop)
      const [sender, other] = [await startSender(), await startSender()]
      const trust = ['--trust', sender.agentUrl, '--trust', other.agentUrl]
      const first = await startReceive(place, trust)
      const body = envelope()
      const once = await sender.sign(body)
      expect(verdict(await post(first.url, once))).toBe('200 accepted')
      await first.kill()
      const server = await startReceive(place, trust)
      expect(verdict(await post(server.url, once))).toBe(REPLAYED)

      const counter = await counterOf(place.database(), sender.pair.publicJwk.kid)
      await fill(place.database(), counter, CAP - SEEN)
      const before = memoryOf(server.child.pid!)
      // One message again and again: what is new each time is the nonce.
      const verdicts = await sendMany(server.url, sender, body, SEEN)
      expect(verdicts).toEqual({ '200 duplicate': SEEN - 1, [ABUSE]: 1 })
      expect(await sendMany(server.url, sender, body, AT_ONCE)).toEqual({ [ABUSE]: AT_ONCE })
      expect(await storedOf(place.database(), counter)).toEqual({ nonces: CAP, counted: CAP })
      expect(memoryOf(server.child.pid!) - before).toBeLessThan(MOST_GROWTH_MB)
      // Other keys have their own room, and what is past its time makes some.
      expect(verdict(await post(server.url, await other.sign(body)))).toBe('200 accepted')
      await expireSome(place.database(), counter)
      expect(verdict(await post(server.url, await sender.sign(body)))).toBe('200 duplicate')
    },
    120_000 + SEEN * 10,
  )
})

async function sendMany(url: string, sender: Sender, body: object, count: number) {
  const counts: Record<string, number> = {}
  for (let left = count; left > 0; left -= AT_ONCE) {
    const some = Array.from({ length: Math.min(left, AT_ONCE) }, async () => {
      const said = verdict(await post(url, await sender.sign(body)))
      counts[said] = (counts[said] ?? 0) + 1
    })
    await Promise.all(some)
  }
  return counts
}

/** What the nonces of a key are counted by: its signer and its id. */
async function counterOf({ read }: Database, kid = ''): Promise<string> {
  const rows = await read.all<{ counter_id: string }>('SELECT counter_id FROM replay_nonces')
  const found = new Set(rows.map(({ counter_id }) => counter_id))
  expect([...found]).toEqual([expect.stringMatching(new RegExp(`^key:http.* ${kid}$`))])
  return [...found][0] as string
}

/** As many live nonces of a key as the receiver would have kept itself. */
async function fill(
  { dialect, transact }: Database,
  counter: string,
  count: number,
): Promise<void> {
  const numbers =
    dialect === 'postgres'
      ? 'SELECT n FROM generate_series(1, $1) AS numbers(n)'
      : 'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1) SELECT n FROM numbers'
  await transact(async (tx) => {
    await tx.run(
      `INSERT INTO replay_nonces (nonce_id, counter_id, expires_at, renewals)
       SELECT 'filled-' || n, '${counter}', 4000000000, 0 FROM (${numbers}) AS filling`,
      [count],
    )
    await tx.run(
      `UPDATE replay_counters SET stored = stored + ${count}
       WHERE counter_id IN ('all', '${counter}')
         OR counter_id IN (SELECT parent FROM replay_counters WHERE counter_id = '${counter}')`,
    )
  })
}

async function expireSome({ transact }: Database, counter: string): Promise<void> {
  await transact((tx) =>
    tx.run(
      `UPDATE replay_nonces SET expires_at = 1 WHERE nonce_id IN (
         SELECT nonce_id FROM replay_nonces WHERE counter_id = $1 LIMIT 10)`,
      [counter],
    ),
  )
}

async function storedOf({ read }: Database, counter: string) {
  const rows = await read.get<{ n: number }>(
    'SELECT count(*) AS n FROM replay_nonces WHERE counter_id = $1',
    [counter],
  )
  const counted = await read.get<{ stored: number }>(
    'SELECT stored FROM replay_counters WHERE counter_id = $1',
    [counter],
  )
  return { nonces: rows?.n, counted: counted?.stored }
}

/** Of a process, in megabytes; 0 where there is no /proc. */
function memoryOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
}
