// How much a browser loads for a view of the console: what the build makes, compressed.

import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'

const MAX_BYTES = 60 * 1024
const CONFIG = fileURLToPath(new URL('../../console/vite.config.ts', import.meta.url))

test('the first view takes at most 60 kB of JavaScript, and each other at most 60 kB more', async () => {
  const chunks = await builtChunks()
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('nothing was built')
  const atStart = closureOf([entry.fileName], chunks)
  const views = entry.dynamicImports.filter((name) => !atStart.has(name))
  expect(views.length).toBeGreaterThan(8)

  const sizes = views.map((name) => {
    // With everything the view may load while it is displayed: the charts.
    const closure = closureOf([name], chunks, true)
    const more = [...closure].filter((file) => !atStart.has(file))
    return [name, bytesOf(more, chunks)] as const
  })
  const overview = sizes.find(([name]) => name.includes('/overview-'))
  expect(bytesOf(atStart, chunks) + (overview?.[1] ?? Number.NaN)).toBeLessThanOrEqual(MAX_BYTES)
  expect(sizes.filter(([, bytes]) => bytes > MAX_BYTES)).toEqual([])
})

type Chunks = Map<string, Rolldown.OutputChunk>

async function builtChunks(): Promise<Chunks> {
  const built = (await build({
    configFile: CONFIG,
    build: { write: false },
  })) as Rolldown.RolldownOutput
  return new Map(
    built.output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part] as const] : [])),
  )
}

/** The files that are loaded with these. */
function closureOf(names: readonly string[], chunks: Chunks, withLazy = false): Set<string> {
  const found = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = chunks.get(name)
    if (!chunk || found.has(name)) continue
    found.add(name)
    waiting.push(...chunk.imports)
    if (withLazy && !chunk.isEntry) waiting.push(...chunk.dynamicImports)
  }
  return found
}

function bytesOf(names: Iterable<string>, chunks: Chunks): number {
  let sum = 0
  for (const name of names) sum += gzipSync(chunks.get(name)?.code ?? '').length
  return sum
}
