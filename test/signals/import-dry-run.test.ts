import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogueChange } from '../../src/signals/catalogue-changes.ts'
import { embeddedText } from '../../src/signals/embedded-text.ts'
import { signalRows } from '../../src/signals/files/signal-rows.ts'
import { importSignals } from '../../src/signals/import-signals.ts'
import { createSignalStore } from '../../src/storage/stores/signals/signals.ts'
import { catalogueSignal } from '../support/catalogue.ts'
import { onBothStores } from '../support/databases.ts'
import { contentOf } from '../support/tables.ts'

const signal = (id: string, coverage_percentage = 1, tags: readonly string[] = []) =>
  catalogueSignal({ signal_agent_segment_id: id, coverage_percentage, tags: [...tags] })
const textOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

onBothStores('an import that is only tried', (database) => {
  const run = async (text: string, { isReplacing = false, isDry = true } = {}) => {
    const reported: CatalogueChange[] = []
    const bad: string[] = []
    const signals = createSignalStore(database(), { embeddedText })
    const totals = await importSignals(
      { transact: database().transact, signals },
      signalRows('jsonl', [text]),
      {
        isReplacing,
        batchSize: 2,
        onBadRow: (row) => bad.push(row),
        ...(isDry ? { onlyReport: (change) => reported.push(change) } : {}),
      },
    )
    return { totals, reported, bad }
  }

  test('reports by row what would be added, changed, removed and refused, and changes nothing', async () => {
    await run(textOf([signal('a'), signal('b'), signal('c')]), { isReplacing: true, isDry: false })
    const before = await contentOf(database())
    const file = [signal('b', 2, ['x']), signal('d'), signal('a'), { ...signal('e', 101) }]
    const { totals, reported, bad } = await run(textOf(file), { isReplacing: true })
    expect(reported).toEqual([
      { id: 'b', row: 'line 1', outcome: 'changed', members: ['coverage_percentage', 'tags'] },
      { id: 'd', row: 'line 2', outcome: 'added' },
      { id: 'c', outcome: 'removed' },
    ])
    expect(bad).toEqual(['line 4'])
    expect(totals).toEqual({
      rows: 4,
      added: 1,
      changed: 1,
      unchanged: 1,
      bad: 1,
      repeated: 0,
      removed: 1,
    })
    expect(await contentOf(database())).toEqual(before)
  })

  test('a file that is to replace all and has nothing good is refused as it would be', async () => {
    const before = await contentOf(database())
    const { totals, reported } = await run('no json\n', { isReplacing: true })
    expect(totals.stopped).toContain('the catalogue was not changed')
    expect(reported).toEqual([])
    expect(await contentOf(database())).toEqual(before)
  })

  describe('whatever the file and the catalogue', () => {
    const row = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 2 }))
    const file = fc.array(fc.option(row, { nil: undefined }), { maxLength: 7 })
    const text = (rows: readonly ([string, number] | undefined)[]) =>
      rows.map((one) => (one ? textOf([signal(...one)]) : 'bad\n')).join('')

    test('its totals are those of the import that follows, and until then nothing has changed', async () => {
      await fc.assert(
        fc.asyncProperty(file, file, fc.boolean(), async (first, second, isReplacing) => {
          await run(text(first), { isReplacing: true, isDry: false })
          const before = await contentOf(database())
          const tried = await run(text(second), { isReplacing })
          expect(await contentOf(database())).toEqual(before)
          const done = await run(text(second), { isReplacing, isDry: false })
          expect(tried.totals).toEqual(done.totals)
          expect(tried.bad).toEqual(done.bad)
        }),
        { numRuns: 10 },
      )
    })
  })
})
