import { beforeEach, describe, expect, test } from 'vitest'
import type { Transact } from '../../src/lib/transaction.ts'
import type { CatalogueSignal } from '../../src/signals/catalogue.ts'
import { embeddedText } from '../../src/signals/embedded-text.ts'
import { signalRows } from '../../src/signals/files/signal-rows.ts'
import { type ImportOptions, importSignals } from '../../src/signals/import-signals.ts'
import type { SignalStore } from '../../src/signals/store.ts'
import { createSignalStore } from '../../src/storage/stores/signals/signals.ts'
import { catalogueSignal, manySignals } from '../support/catalogue.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'

let opened: TestDatabase
let signals: SignalStore

beforeEach(async () => {
  opened = await testDatabase('sqlite')
  signals = createSignalStore(opened.database, { embeddedText })
  return () => opened.drop()
})

interface Received {
  bad: [string, string[]][]
  warnings: [string, string][]
}

async function importText(
  text: string,
  options: Partial<ImportOptions> & { format?: 'json' | 'jsonl' | 'csv'; transact?: Transact } = {},
) {
  const received: Received = { bad: [], warnings: [] }
  const { format = 'jsonl', transact = opened.database.transact, ...rest } = options
  const totals = await importSignals({ transact, signals }, signalRows(format, [text]), {
    batchSize: 2,
    onBadRow: (row, faults) => received.bad.push([row, faults.map(({ pointer }) => pointer)]),
    onWarning: (row, message) => received.warnings.push([row, message]),
    ...rest,
  })
  return { totals, ...received }
}

const lines = (all: readonly CatalogueSignal[]) =>
  all.map((signal) => `${JSON.stringify(signal)}\n`).join('')
const ids = () => signals.ids(undefined, 10_000)
const NOTHING = {
  rows: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  bad: 0,
  repeated: 0,
  removed: 0,
}

test('good rows are kept, bad ones reported by number with all their faults', async () => {
  const [first, second, third] = manySignals(3) as [
    CatalogueSignal,
    CatalogueSignal,
    CatalogueSignal,
  ]
  const bad = { ...second, coverage_percentage: -1, countries: ['Germany'] }
  const text = `${lines([first])}{"name":\n${lines([bad])}\n${lines([third])}`
  const { totals, bad: reported, warnings } = await importText(text)
  expect(totals).toEqual({ ...NOTHING, rows: 4, added: 2, bad: 2 })
  expect(reported).toEqual([
    ['line 2', ['']],
    ['line 3', ['/coverage_percentage', '/countries/0']],
  ])
  expect(warnings).toEqual([])
  expect(await ids()).toEqual(['s-000000', 's-000002'])
})

test('an import that is repeated changes nothing, and one that differs only what differs', async () => {
  const all = manySignals(5)
  await importText(lines(all))
  const latest = await signals.latest()
  expect((await importText(lines(all))).totals).toEqual({ ...NOTHING, rows: 5, unchanged: 5 })
  expect(await signals.latest()).toBe(latest)
  const changed = all.map((signal, n) =>
    n === 3 ? { ...signal, coverage_percentage: 99 } : signal,
  )
  const { totals } = await importText(lines([...changed, ...manySignals(1, 9)]))
  expect(totals).toEqual({ ...NOTHING, rows: 6, added: 1, changed: 1, unchanged: 4 })
})

test('of a signal that appears in the file twice the last one counts, with a warning', async () => {
  const first = catalogueSignal({ coverage_percentage: 1 })
  const others = manySignals(4)
  const last = catalogueSignal({ coverage_percentage: 2 })
  const { totals, warnings } = await importText(lines([first, ...others, last]))
  expect(totals).toMatchObject({ rows: 6, added: 5, changed: 1, repeated: 1 })
  expect(warnings).toEqual([['line 6', expect.stringContaining('is also on line 1')]])
  const kept = (await signals.get([last.signal_agent_segment_id])).values().next().value
  expect(kept?.signal.coverage_percentage).toBe(2)
})

test('what is read differently from what the file says is reported in a warning', async () => {
  const row = {
    ...catalogueSignal(),
    deployments: [{ platform: 'x', activation_key: { type: 'segment_id', segment_id: '1' } }],
  }
  const { warnings } = await importText(JSON.stringify(row))
  expect(warnings).toEqual([
    ['line 1', expect.stringMatching(/^\/deployments\/0\/activation_key: /)],
  ])
})

describe('to replace', () => {
  const replace = (text: string, options: Parameters<typeof importText>[1] = {}) =>
    importText(text, { ...options, isReplacing: true })

  test('removes what the file does not have, and nothing unless requested', async () => {
    await importText(lines(manySignals(7)))
    const file = lines(manySignals(4, 5))
    expect((await importText(file)).totals).toMatchObject({ removed: 0 })
    expect((await replace(file)).totals).toEqual({
      ...NOTHING,
      rows: 4,
      unchanged: 4,
      removed: 5,
    })
    expect(await ids()).toEqual(['s-000005', 's-000006', 's-000007', 's-000008'])
  })

  test('leaves a signal as it was whose row is bad', async () => {
    await importText(lines(manySignals(3)))
    const [first, second] = manySignals(2)
    const { totals } = await replace(
      lines([first as CatalogueSignal, { ...second, name: '' } as CatalogueSignal]),
    )
    expect(totals).toMatchObject({ bad: 1, removed: 1 })
    expect(await ids()).toEqual(['s-000000', 's-000001'])
    expect((await signals.get(['s-000001'])).get('s-000001')).toMatchObject({ version: 1 })
  })

  test.each([
    ['jsonl', '', 'no rows'],
    ['jsonl', '\n\n', 'no rows'],
    ['json', '[]', 'no rows'],
    ['csv', 'signal_agent_segment_id,name\n', 'no rows'],
    ['jsonl', 'no\nnot\n', 'no row of the file is valid'],
    ['csv', 'signal_agent_segment_id,name\na,b\n', 'no row of the file is valid'],
  ] as const)('refuses a %s file that has nothing good: %j', async (format, text, why) => {
    await importText(lines(manySignals(3)))
    const { totals } = await replace(text, { format })
    expect(totals.stopped).toContain(why)
    expect(totals.removed).toBe(0)
    expect(await ids()).toHaveLength(3)
  })

  test.each([
    ['json', `[${JSON.stringify(catalogueSignal())},`, 'in the middle'],
    ['csv', 'signal_agent_segment_id\na\n"b\n', 'never closed'],
    ['csv', 'name\na\n', 'must list the columns'],
    ['json', '{"a":1}', 'no member "signals"'],
  ] as const)(
    'removes nothing when a %s file cannot be read to its end: %j',
    async (format, text, why) => {
      await importText(lines(manySignals(3)))
      const { totals } = await replace(text, { format })
      expect(totals.stopped).toContain(why)
      expect(totals.removed).toBe(0)
      expect((await ids()).length).toBeGreaterThanOrEqual(3)
    },
  )

  test('stopped at any commit it has lost nothing of the file, and repeated it is whole', async () => {
    const old = manySignals(7)
    const file = [
      ...manySignals(3, 4).map((signal) => ({ ...signal, coverage_percentage: 77 })),
      ...manySignals(4, 20),
    ]
    const wanted = file.map(({ signal_agent_segment_id }) => signal_agent_segment_id)
    const known = new Set([...wanted, ...old.map((signal) => signal.signal_agent_segment_id)])
    for (const isKept of [true, false]) {
      for (let commits = 0; ; commits++) {
        await opened.database.transact(async (tx) => signals.remove(tx, await ids()))
        await importText(lines(old))
        const crashed = await replace(lines(file), { transact: crashing(commits, isKept) }).catch(
          () => undefined,
        )
        const left = new Set(await ids())
        expect([...left].filter((id) => !known.has(id))).toEqual([])
        const isRemoving = old.some(({ signal_agent_segment_id: id }) => !left.has(id))
        if (isRemoving) expect(wanted.filter((id) => !left.has(id))).toEqual([])

        const again = await replace(lines(file))
        expect(again.totals.stopped).toBeUndefined()
        expect(await ids()).toEqual(wanted)
        const stored = await signals.page(undefined, 100)
        expect(stored.map(({ signal }) => signal)).toEqual(file)
        if (crashed) {
          expect(commits).toBeGreaterThan(4)
          break
        }
      }
    }
  })

  /** Fails after the given number of commits, once the next has been made or before it is. */
  function crashing(commits: number, isKept: boolean): Transact {
    let made = 0
    return async (work) => {
      if (made++ < commits) return opened.database.transact(work)
      if (isKept) await opened.database.transact(work)
      throw new Error('killed')
    }
  }
})

test('progress is reported after each commit', async () => {
  const counts: Promise<number>[] = []
  await importText(lines(manySignals(5)), { onProgress: () => counts.push(signals.count()) })
  expect(await Promise.all(counts)).toEqual([2, 4, 5])
})

test('what the database refuses is thrown, and what was committed before stays', async () => {
  let made = 0
  const transact: Transact = (work) => {
    if (made++ === 1) throw new Error('the disk is full')
    return opened.database.transact(work)
  }
  await expect(importText(lines(manySignals(5)), { transact })).rejects.toThrow('the disk is full')
  expect(await ids()).toEqual(['s-000000', 's-000001'])
})
