import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ZipFile, zipOf } from '../../../console/src/studio/zip.ts'

/** Read from its end, as programs do: the directory, and from there each file. */
function read(archive: Buffer): { name: string; bytes: Buffer }[] {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  expect(at + archive.readUInt32LE(end + 12)).toBe(end)
  const files = Array.from({ length: count }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50)
    const size = archive.readUInt32LE(at + 24)
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.readUInt32LE(local)).toBe(0x04034b50)
    // What both say of it is the same, from the version to the length of the name.
    expect(archive.subarray(local + 4, local + 28)).toEqual(archive.subarray(at + 6, at + 30))
    const begins = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(begins, begins + size)
    expect(archive.readUInt32LE(at + 16)).toBe(crc32(bytes))
    at += 46 + nameLength
    return { name, bytes }
  })
  expect(at).toBe(end)
  return files
}

test('an archive has every file as it was, under its name', async () => {
  const file = fc.record({
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    bytes: fc.uint8Array({ maxLength: 300 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 5 }), async (files) => {
      const blob = zipOf(files as ZipFile[])
      const found = read(Buffer.from(await blob.arrayBuffer()))
      expect(found.map(({ name }) => name)).toEqual(files.map(({ name }) => name))
      expect(found.map(({ bytes }) => [...bytes])).toEqual(files.map(({ bytes }) => [...bytes]))
    }),
  )
})
