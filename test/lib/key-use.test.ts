import { expect, test } from 'vitest'
import { createKeyUse } from '../../src/lib/key-use.ts'
import type { Transact } from '../../src/lib/transaction.ts'

const transact = (async (work: (tx: never) => Promise<unknown>) =>
  work(undefined as never)) as Transact

function keyUse(noteUse: (hashes: readonly string[]) => void) {
  const faults: unknown[] = []
  const use = createKeyUse({
    transact,
    apiKeys: { noteUse: async (_tx, hashes) => noteUse(hashes) },
    onFault: (error) => faults.push(error),
  })
  const find = use.watched(async (hash) => (hash === 'unknown' ? undefined : { name: hash }))
  return { use, find, faults }
}

test('keys that were found are noted together, each once, and not at every use', async () => {
  const noted: (readonly string[])[] = []
  const { use, find } = keyUse((hashes) => noted.push(hashes))
  expect(await find('a')).toEqual({ name: 'a' })
  await find('a')
  await find('b')
  expect(await find('unknown')).toBeUndefined()
  expect(noted).toEqual([])
  await use.stop()
  expect(noted).toEqual([['a', 'b']])
})

test('a note that cannot be written fails no one’s call', async () => {
  const { use, find, faults } = keyUse(() => {
    throw new Error('away')
  })
  expect(await find('a')).toEqual({ name: 'a' })
  await use.stop()
  expect(faults).toHaveLength(1)
})
