// Unpacks a WOFF file into the OpenType file it was made from: its tables, each compressed separately or not at all
// (W3C WOFF 1.0).

import { inflateSync } from 'node:zlib'

export function isWoff(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, 4)).toString('latin1') === 'wOFF'
}

const HEAD = 44
const ENTRY = 20

/** Throws if it is not a WOFF file, or is larger than `maxBytes` when unpacked. */
export function readWoff(file: Uint8Array, maxBytes: number): Uint8Array {
  const woff = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + count * 16)
  const power = Math.floor(Math.log2(Math.max(1, count)))
  head.writeUInt32BE(woff.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(16 * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(count * 16 - 16 * 2 ** power, 10)
  const tables: Buffer[] = [head]
  let at = head.length
  for (let index = 0; index < count; index++) {
    const entry = woff.subarray(HEAD + index * ENTRY, HEAD + (index + 1) * ENTRY)
    const length = entry.readUInt32BE(12)
    if (at + length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes unpacked`)
    const table = unpacked(woff, entry)
    entry.copy(head, 12 + index * 16, 0, 4)
    entry.copy(head, 16 + index * 16, 16, 20)
    head.writeUInt32BE(at, 20 + index * 16)
    head.writeUInt32BE(length, 24 + index * 16)
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    tables.push(table, padding)
    at += length + padding.length
  }
  return Buffer.concat(tables)
}

function unpacked(woff: Buffer, entry: Buffer): Buffer {
  const [from, packed, length] = [4, 8, 12].map((place) => entry.readUInt32BE(place)) as [
    number,
    number,
    number,
  ]
  const bytes = woff.subarray(from, from + packed)
  const table = packed < length ? inflateSync(bytes, { maxOutputLength: length }) : bytes
  if (table.length !== length) throw new Error('a table of it has not the length that it says')
  return table
}
