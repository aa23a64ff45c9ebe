// A ZIP archive of files without compression (APPNOTE 6.3.10): pictures are compressed already.

export interface ZipFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
/** 1980-01-01, the first day that the format supports: the creation time of a file is not disclosed. */
const DATE = 0x0021

export function zipOf(files: readonly ZipFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const encoded = new TextEncoder().encode(name)
    const entry = entryOf(bytes, encoded.length)
    const local = record([...LOCAL_HEAD, ...entry], encoded)
    // For the central entry: no comment, first disk, no attributes, and the offset of the local one.
    const rest = [two(0), two(0), two(0), four(0), four(offset)] as const
    directory.push(record([...CENTRAL_HEAD, ...entry, ...rest], encoded))
    parts.push(local, bytes)
    offset += local.length + bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = two(files.length)
  const end = record([four(END), two(0), two(0), count, count, four(size), four(offset), two(0)])
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

type Field = readonly [value: number, bytes: 2 | 4]
const two = (value: number): Field => [value, 2]
const four = (value: number): Field => [value, 4]

const LOCAL_HEAD = [four(LOCAL), two(VERSION)]
const CENTRAL_HEAD = [four(CENTRAL), two(VERSION), two(VERSION)]

/**
 * The fields that both records of a file share: flags, stored, time, date, checksum, sizes, lengths of name and
 * extras.
 */
function entryOf(bytes: Uint8Array, nameLength: number): Field[] {
  const { length } = bytes
  return [
    two(FLAGS),
    two(0),
    two(0),
    two(DATE),
    four(crc32(bytes)),
    four(length),
    four(length),
    two(nameLength),
    two(0),
  ]
}

function record(fields: readonly Field[], name: Uint8Array = new Uint8Array()) {
  const head = fields.reduce((sum, [, size]) => sum + size, 0)
  const bytes = new Uint8Array(head + name.length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  bytes.set(name, at)
  return bytes
}

const POLYNOMIAL = 0xedb88320
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
