import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { challengesBy } from '../../src/registry/challenge.ts'
import { createVerificationWorker } from '../../src/registry/verification-worker.ts'
import { createFeedStore } from '../../src/storage/stores/references/feed.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { testDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'

/** A worker over references of which all are due, whose every request fails. */
async function workerOver(count: number, perMinute: number) {
  const { database, drop } = await testDatabase('sqlite')
  onTestFinished(drop)
  const references = createReferenceStore(database)
  const due = Array.from({ length: count }, (_, n) => ({
    domain: `d${n}.example`,
    manifest_type: 'brand.json' as const,
    reference_type: 'url' as const,
    manifest_url: `https://d${n}.example/brand.json`,
    agent_url: null,
    agent_id: null,
    contributed_by_org_id: 'org_a',
  }))
  await database.transact((tx) => references.add(tx, due, { verifyAt: 1 }))
  const requested: string[] = []
  const worker = createVerificationWorker({
    transact: database.transact,
    onWake: database.onWake,
    references,
    feed: createFeedStore(database),
    verify: {
      fetch: async ({ url }) => {
        requested.push(url)
        return { ok: false, code: 'dns_failed', message: 'no such host', durationMs: 1 }
      },
      resolveTxt: async () => ({ ok: true, records: [] }),
      challenge: challengesBy('secret'),
      allowHttp: false,
      maxManifestBytes: 1_000,
      now: Date.now,
    },
    clock: systemClock,
    concurrency: 8,
    perMinute,
    onFault: (error) => {
      throw error
    },
  })
  worker.start()
  onTestFinished(() => worker.stop())
  const verified = async () => (await references.stats()).unreachable_count
  return { requested, verified, worker }
}

test('what is due is begun at the pace that was set, however much it is', async () => {
  const { requested, verified, worker } = await workerOver(20, 1)
  await eventually(async () => expect(await verified()).toBe(1))
  await worker.stop()
  expect(requested).toHaveLength(1)
})

test('within its pace everything that is due is verified', async () => {
  const { requested, verified } = await workerOver(20, 6_000)
  await eventually(async () => expect(await verified()).toBe(20))
  expect(new Set(requested).size).toBe(20)
})
