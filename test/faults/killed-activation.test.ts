// kill -9 of a server while platforms activate signals: every activation ends live, once, and its buyer is notified
// of it once; no one else sees its key (spec 3.3, 6.4).

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPrincipal } from '../../src/agent/principals.ts'
import { embeddedText } from '../../src/signals/embedded-text.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { createSignalStore } from '../../src/storage/stores/signals/signals.ts'
import { call } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { breachesOf } from '../support/faults/invariants.ts'
import { drained, readLedger } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { createDice } from '../support/faults/random.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { type Seller, SHORT_LEASE, startSeller } from '../support/faults/seller.ts'
import { catalogueSignal } from '../support/memory-signals.ts'

const ROUNDS = Number(process.env.ADWIRE_FAULT_ROUNDS ?? 1)
const ACCOUNTS_PER_ROUND = 3
const DELAY_SECONDS = 2
const DRAIN_MS = 180_000
const SEGMENT = 'killed-activation'

interface Returned {
  account?: string
  is_live: boolean
  activation_key?: { segment_id: string }
}

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test(
    `spec 3.3: killed ${ROUNDS} times amid activations, each ends live and is reported once`,
    async () => {
      const dice = createDice()
      const place = await createPlace(store)
      onTestFinished(place.drop)
      const receiver = await startReceiver()
      onTestFinished(receiver.close)
      const env = { ...SHORT_LEASE, ADWIRE_SANDBOX_DELAY_SECONDS: String(DELAY_SECONDS) }
      const accounts: string[] = []

      for (let round = 0; round < ROUNDS; round++) {
        const seller = await startSeller(place, env)
        if (round === 0) await addSignal(place.database())
        const before = receiver.seen.length
        for (let n = 0; n < ACCOUNTS_PER_ROUND; n++) {
          const account = `seat-${round}-${n}`
          const answer = await activate(seller, account, receiver.url(`/${account}`))
          expect(answer, `seed ${dice.seed}`).toMatchObject({ status: 'submitted' })
          accounts.push(account)
        }
        // Somewhere between the first webhook and some time after the platform is done.
        await eventually(() => expect(receiver.seen.length).toBeGreaterThan(before))
        await sleep(dice.below(DELAY_SECONDS * 1_250))
        await seller.kill()
      }

      const seller = await startSeller(place, env)
      await drained(place.database(), DRAIN_MS)
      const own = await returned(seller, demoKey(seller))
      const stranger = await createPrincipal(
        { transact: place.database().transact, principals: createPrincipalStore(place.database()) },
        { name: 'Stranger' },
      )
      if (!stranger.ok) throw new Error(stranger.message)
      const others = await returned(seller, stranger.key)
      expect(await seller.stop()).toBe(0)

      const ledger = await readLedger(place.database())
      expect(breachesOf(ledger, receiver.seen), `seed ${dice.seed}`).toEqual([])
      for (const account of accounts) {
        const completed = receiver.seen.filter(
          ({ path, status }) => path === `/${account}` && status === 'completed',
        )
        expect([account, new Set(completed.map((one) => one.idempotency_key)).size]).toEqual([
          account,
          1,
        ])
        const result = JSON.parse(String(completed[0]?.body)) as {
          result: { deployments: Returned[] }
        }
        const [reported] = result.result.deployments
        expect(own.find((one) => one.account === account)).toEqual(reported)
        expect(reported).toMatchObject({ account, is_live: true, activation_key: {} })
      }
      // One key for each account: no platform received the same request under two ids.
      const keys = own.map(({ activation_key }) => activation_key?.segment_id)
      expect(new Set(keys.filter((key) => key !== undefined)).size).toBe(accounts.length)
      expect(others).toEqual([expect.objectContaining({ is_live: false })])
    },
    60_000 + DRAIN_MS + ROUNDS * 20_000,
  )
})

async function addSignal(database: Database): Promise<void> {
  const signals = createSignalStore(database, { embeddedText })
  const signal = catalogueSignal({
    signal_agent_segment_id: SEGMENT,
    deployments: [{ type: 'platform', platform: 'sandbox', is_live: false }],
  })
  await database.transact((tx) => signals.put(tx, [signal]))
}

function activate(seller: Seller, account: string, url: string) {
  return seller.call('/v3/activate_signal', {
    signal_agent_segment_id: SEGMENT,
    deployments: [{ type: 'platform', platform: 'sandbox', account }],
    push_notification_config: { url },
    idempotency_key: randomUUID(),
  })
}

/** The signal's deployments wherever the caller may have it. */
async function returned({ url }: Seller, key: string): Promise<Returned[]> {
  const signal_refs = [{ scope: 'product', signal_id: SEGMENT }]
  const { body } = await call(`${url}/v3/get_signals`, { key, body: { signal_refs } })
  const [signal] = body.signals as [{ deployments: Returned[] }]
  return signal.deployments
}

function demoKey({ output }: Seller): string {
  const key = /demo key: (\S+)/.exec(output.stdout)?.[1]
  if (key === undefined) throw new Error('the seller printed no key')
  return key
}
