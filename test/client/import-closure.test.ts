import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const STATEMENT = /^(?:import|export) (?!type )[^;]*?from '([^']+)'|\bawait import\('([^']+)'\)/gm

/** What is loaded with a file or by it later: types that it imports are not. */
function loadedWith(entry: string) {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [join(SRC, entry)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const code = readFileSync(file, 'utf8').replace(
      /^(?:import|export) type [^;]*?from '[^']+'/gm,
      '',
    )
    for (const [, first, later] of code.matchAll(STATEMENT)) {
      const from = first ?? later ?? ''
      if (from.startsWith('.')) waiting.push(join(dirname(file), from))
      else if (!from.startsWith('node:')) packages.add(from)
    }
  }
  const folders = [...files].map((file) => relative(SRC, file).split('/')[0])
  return { folders: [...new Set(folders)].sort(), packages: [...packages].sort(), files }
}

test('adwire/client loads no server, no storage and no database', () => {
  const { folders, packages, files } = loadedWith('client/index.ts')
  expect(files.size).toBeGreaterThan(40)
  expect(folders).toEqual(['client', 'lib', 'protocol', 'signing', 'transports'])
  expect(packages).toEqual(['ipaddr.js', 'tldts', 'tr46', 'undici', 'zod'])
})

test('and the same check recognizes the server', () => {
  const { folders, packages } = loadedWith('index.ts')
  expect(folders).toContain('storage')
  expect(packages).toContain('fastify')
})
