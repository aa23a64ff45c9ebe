// References that kill the process that verifies them (spec 3.1): verification abandons them after a few deaths, reports
// it once, and abandons nothing else with them.

import { afterEach, expect, test } from 'vitest'
import { StorageUnavailable } from '../../src/lib/transaction.ts'
import type { TxtAnswer } from '../../src/lib/txt-records.ts'
import { challengesBy } from '../../src/registry/challenge.ts'
import {
  createVerificationWorker,
  type VerificationWorkerOptions,
} from '../../src/registry/verification-worker.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'

const LEASE_MS = 60_000
const NO_ANSWER = { ok: false, code: 'connect_failed', message: 'no', durationMs: 1 } as const
const OTHERS = {
  resolveTxt: async (): Promise<TxtAnswer> => ({ ok: true, records: [] }),
  challenge: challengesBy('secret'),
  allowHttp: false,
  maxManifestBytes: 1_000,
  now: Date.now,
}
const clock = fakeClock()
let opened: TestDatabase | undefined
afterEach(() => opened?.drop())

async function registry(...domains: string[]) {
  opened = await testDatabase('sqlite', { clock })
  const { database } = opened
  const references = createReferenceStore(database)
  const added = await database.transact((tx) =>
    references.add(
      tx,
      domains.map((domain) => ({
        domain,
        manifest_type: 'brand.json',
        reference_type: 'url',
        manifest_url: `https://${domain}/brand.json`,
        agent_url: null,
        agent_id: null,
        contributed_by_org_id: 'org_a',
      })),
      { verifyAt: 0 },
    ),
  )
  const fetched: string[] = []
  const start = (over: Partial<VerificationWorkerOptions> = {}) => {
    const worker = createVerificationWorker({
      transact: database.transact,
      onWake: database.onWake,
      references,
      feed: createFeedStore(database),
      verify: {
        fetch: async ({ url }) => {
          fetched.push(new URL(url).hostname)
          return NO_ANSWER
        },
        ...OTHERS,
      },
      clock,
      concurrency: 8,
      perMinute: 6_000,
      onFault: () => {},
      ...over,
    })
    worker.start()
    return worker
  }
  /** As processes that die while they have everything that is due. */
  const die = async (times: number) => {
    for (let n = 0; n < times; n++) {
      await database.transact((tx) => references.claimDue(tx, { limit: 9, leaseMs: LEASE_MS }))
      clock.advance(LEASE_MS)
    }
  }
  const [first] = added
  return { database, references, id: first!.reference.id, fetched, start, die }
}

test('a reference in whose verification three processes died is not verified a fourth time', async () => {
  const { references, id, fetched, start, die } = await registry('deadly.example')
  await die(3)
  const worker = start()
  await eventually(async () => {
    expect(await references.get(id)).toMatchObject({ verification_status: 'invalid' })
  })
  await worker.stop()
  expect(fetched).toEqual([])
  expect(await references.history(id, 9)).toMatchObject([
    { reason: expect.stringContaining('crashed the server 3 times') },
  ])
})

test('one in which two died is verified, and then nothing is held against it', async () => {
  const { references, id, fetched, start, die, database } = await registry('late.example')
  await die(2)
  const worker = start()
  await eventually(async () => {
    expect(await references.get(id)).toMatchObject({ verification_status: 'unreachable' })
  })
  await worker.stop()
  expect(fetched).toEqual(['late.example'])
  const row = await database.read.get('SELECT lost FROM manifest_references')
  expect(row).toEqual({ lost: 0 })
})

test('a result that the database does not take is no death', async () => {
  const { references, id, start, database } = await registry('unlucky.example')
  let isAway = false
  const lost: number[] = []
  const worker = start({
    references: {
      ...references,
      claimDue: async (tx, options) => {
        const claimed = await references.claimDue(tx, options)
        lost.push(...claimed.map((claim) => claim.lost))
        return claimed
      },
    },
    verify: {
      fetch: async () => {
        isAway = lost.length === 1
        return NO_ANSWER
      },
      ...OTHERS,
    },
    transact: (work) => {
      if (!isAway) return database.transact(work)
      isAway = false
      return Promise.reject(new StorageUnavailable('gone'))
    },
  })
  await eventually(async () => {
    expect(await references.get(id)).toMatchObject({ verification_status: 'unreachable' })
  })
  await worker.stop()
  expect(lost).toEqual([1, 1])
})
