import { expect, test } from 'vitest'
import { importReferences } from '../../src/registry/import-references.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { onBothStores } from '../support/databases.ts'
import { registryPorts } from '../support/registry.ts'
import { contentOf } from '../support/tables.ts'

const line = (n: number) =>
  JSON.stringify({
    domain: `d${n}.example`,
    reference_type: 'url',
    manifest_url: `https://d${n}.example/brand.json`,
  })

onBothStores('an import of references that is only tried', (database) => {
  const run = async (lines: readonly string[], isDry: boolean) => {
    const reported: [number, string][] = []
    const bad: number[] = []
    const ports = {
      ...registryPorts(database()),
      references: createReferenceStore(database()),
      checkUrl: (url: string) => ({ ok: true, url: new URL(url) }) as const,
    }
    const from = async function* () {
      yield* lines
    }
    const totals = await importReferences(ports, from(), {
      contributor: { organizationId: 'org_a', actor: 'org:org_a' },
      batchSize: 2,
      onBadLine: (at) => bad.push(at),
      ...(isDry ? { onlyReport: (at, { domain }) => reported.push([at, domain]) } : {}),
    })
    return { totals, reported, bad }
  }

  test('reports by line what would be added and what is bad, and changes nothing', async () => {
    await run([line(1)], false)
    const before = await contentOf(database())
    // The same twice, also in two batches, is added once.
    const file = [line(2), line(1), 'bad', '', line(3), line(2), line(3)]
    const tried = await run(file, true)
    expect(tried).toEqual({
      totals: { lines: 7, added: 2, known: 3, bad: 1 },
      reported: [
        [1, 'd2.example'],
        [5, 'd3.example'],
      ],
      bad: [3],
    })
    expect(await contentOf(database())).toEqual(before)
    expect((await run(file, false)).totals).toEqual(tried.totals)
    expect((await run(file, true)).totals).toMatchObject({ added: 0, known: 5 })
  })
})
