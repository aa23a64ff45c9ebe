import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEgress, type Egress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createRowsDigest } from '../../src/registry/replica/digest.ts'
import {
  type FollowPorts,
  followOnce,
  type Step,
} from '../../src/registry/replica/follow-registry.ts'
import { readSnapshot } from '../../src/registry/replica/read-source.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createDice } from '../support/faults/random.ts'
import { growSource, type SourceRegistry } from '../support/source-registry.ts'

const config = { registryVerifyConcurrency: 0, registryCrawlConcurrency: 0 }

describe.each(['sqlite', 'postgres'] as const)('a mirror of a registry [%s]', (store) => {
  let source: TestApp
  let target: TestApp
  let egress: Egress
  let grown: SourceRegistry
  let ports: FollowPorts
  const dice = createDice()

  beforeAll(async () => {
    source = await startApp({ store, config })
    target = await startApp({ store, config })
    egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
    grown = await growSource(source.storage, dice)
    const { key } = await source.organization('Mirror')
    const { signal } = new AbortController()
    ports = { ...target.storage, source: { fetch: egress.fetch, url: source.url, key, signal } }
  })
  afterAll(async () => {
    await egress.close()
    await source.stop()
    await target.stop()
  })

  async function toTheEnd(): Promise<Step> {
    for (;;) {
      const step = await followOnce(ports)
      if (step.outcome !== 'more') return step
    }
  }
  async function digests() {
    const [own, theirs] = [createRowsDigest(), createRowsDigest()]
    let held = 0
    for (let after = { kind: '', id: '' }; ; ) {
      const rows = await target.storage.replicas.rows(source.url, { after, limit: 500 })
      const last = rows.at(-1)
      if (!last) break
      for (const row of rows) if (row.kind === 'authorization') own.add(row.body)
      held += rows.length
      after = last
    }
    for (let after: string | null = ''; after !== null; ) {
      const page = await readSnapshot(ports.source, after)
      if (!page.ok) throw new Error(page.message)
      for (const row of page.rows) theirs.add(row)
      after = page.next
    }
    return { own: own.value(), theirs: theirs.value(), held }
  }
  const isEqual = async () => {
    const { own, theirs } = await digests()
    expect(own, `seed ${dice.seed}`).toEqual(theirs)
    expect(own.rows).toBeGreaterThan(0)
  }

  test('holds what its source holds after the snapshot and the feed', async () => {
    await grown.change(3_000)
    expect((await toTheEnd()).outcome).toBe('in_step')
    await isEqual()
    const replica = await target.storage.replicas.get(source.url)
    expect(replica).toMatchObject({ phase: 'follow', generation: 1 })
    expect(replica?.events_read).toBeGreaterThanOrEqual(3_000)
  })

  test('follows grants, changes and revocations, and keeps what else the feed is about', async () => {
    await grown.change(1_500)
    const { id: organization } = await source.organization('Named in the feed')
    await toTheEnd()
    await isEqual()
    const key = { kind: 'organization', id: organization }
    const known = await target.storage.transact((tx) =>
      target.storage.replicas.some(tx, source.url, [key]),
    )
    expect(known.length).toBeLessThanOrEqual(1)
  })

  test('that is begun again in the middle of a page ends the same', async () => {
    await grown.change(1_200)
    const replica = await target.storage.replicas.get(source.url)
    await target.storage.transact(async (tx) => {
      const held = await target.storage.replicas.lock(tx, source.url)
      await target.storage.replicas.save(tx, { ...held, phase: 'snapshot', snapshot_after: '' })
    })
    await toTheEnd()
    await isEqual()
    expect(replica?.cursor).not.toBeNull()
  })

  test('two processes that follow the same source store each page once', async () => {
    await grown.change(2_500)
    const before = (await target.storage.replicas.get(source.url))?.events_read ?? 0
    await Promise.all([toTheEnd(), toTheEnd(), toTheEnd()])
    await isEqual()
    const after = (await target.storage.replicas.get(source.url))?.events_read ?? 0
    expect(after - before).toBe(2_500)
  })

  test('whose place is no longer kept takes a snapshot again, and drops what is gone', async () => {
    await grown.change(800)
    await source.storage.database.transact((tx) => tx.run('DELETE FROM feed_events WHERE seq > 0'))
    await toTheEnd()
    await isEqual()
    expect(await target.storage.replicas.get(source.url)).toMatchObject({ generation: 2 })
  })

  test('of a source that does not answer stays as it is', async () => {
    const before = await target.storage.replicas.get(source.url)
    const refused = await followOnce({ ...ports, source: { ...ports.source, key: 'sk_wrong' } })
    expect(refused).toMatchObject({ outcome: 'failed', message: expect.stringContaining('401') })
    expect(await target.storage.replicas.get(source.url)).toEqual(before)
  })
})
