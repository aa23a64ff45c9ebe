// A subset font with only the letters of one banner, to be embedded in it: some kilobytes instead of ninety. Glyphs
// keep their ids, so the tables that refer to glyphs stay valid.

import { type Face, fontOf } from './faces.ts'

/** A TrueType file with the metrics and kerning pairs of the whole face. */
export function subsetFont(face: Face, text: string): Buffer {
  const font = fontOf(face)
  const glyphs = new Set([0])
  for (const character of text) {
    const glyph = font.glyphOf(character.codePointAt(0) as number)
    if (glyph !== undefined) glyphs.add(glyph)
  }
  const table = (tag: string) => font.tables.get(tag) as Buffer
  const outlines = keepOutlines(glyphs, {
    glyf: table('glyf'),
    loca: table('loca'),
    isLong: hasLongOffsets(table('head')),
  })
  const head = Buffer.from(table('head'))
  head.writeUInt32BE(0, 8)
  head.writeInt16BE(1, 50)
  const tables: [string, Buffer][] = [
    ['OS/2', table('OS/2')],
    ['cmap', table('cmap')],
    ['glyf', outlines.glyf],
    ['head', head],
    ['hhea', table('hhea')],
    ['hmtx', table('hmtx')],
    ['kern', kernTable(glyphs, font.kerning)],
    ['loca', outlines.loca],
    ['maxp', table('maxp')],
    ['name', table('name')],
    ['post', withoutNames(table('post'))],
  ]
  return fileOf(tables)
}

function hasLongOffsets(head: Buffer): boolean {
  return head.readInt16BE(50) === 1
}

/** The outlines of the glyphs and of their components; all others become empty. */
function keepOutlines(
  wanted: ReadonlySet<number>,
  { glyf, loca, isLong }: { glyf: Buffer; loca: Buffer; isLong: boolean },
) {
  const count = loca.length / (isLong ? 4 : 2) - 1
  const offset = (i: number) => (isLong ? loca.readUInt32BE(i * 4) : loca.readUInt16BE(i * 2) * 2)
  const outline = (glyph: number) => glyf.subarray(offset(glyph), offset(glyph + 1))
  const all = new Set(wanted)
  for (const glyph of all) for (const part of componentsOf(outline(glyph))) all.add(part)

  const kept: Buffer[] = []
  const places = Buffer.alloc((count + 1) * 4)
  let at = 0
  for (let glyph = 0; glyph < count; glyph++) {
    places.writeUInt32BE(at, glyph * 4)
    if (!all.has(glyph)) continue
    const bytes = padded(outline(glyph))
    kept.push(bytes)
    at += bytes.length
  }
  places.writeUInt32BE(at, count * 4)
  return { glyf: Buffer.concat(kept), loca: places }
}

const WORDS = 0x1
const SCALE = 0x8
const MORE = 0x20
const TWO_SCALES = 0x40
const MATRIX = 0x80

function componentsOf(outline: Buffer): number[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return []
  const parts: number[] = []
  let at = 10
  let flags = MORE
  while (flags & MORE) {
    flags = outline.readUInt16BE(at)
    parts.push(outline.readUInt16BE(at + 2))
    at += 4 + (flags & WORDS ? 4 : 2)
    at += flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0
  }
  return parts
}

/** The pairs among these glyphs, as a kern table: much smaller than the classes of GPOS. */
function kernTable(glyphs: ReadonlySet<number>, kerning: (l: number, r: number) => number): Buffer {
  const sorted = [...glyphs].sort((a, b) => a - b)
  const pairs = sorted
    .flatMap((left) => sorted.map((right) => [left, right, kerning(left, right)] as const))
    .filter(([, , value]) => value !== 0)
  const table = Buffer.alloc(18 + pairs.length * 6)
  const power = pairs.length === 0 ? 0 : Math.floor(Math.log2(pairs.length))
  const head = [0, 1, 0, table.length - 4, 1, pairs.length, 6 * 2 ** power, power]
  head.push(pairs.length * 6 - 6 * 2 ** power)
  for (const [i, value] of head.entries()) table.writeUInt16BE(Math.max(0, value), i * 2)
  for (const [i, [left, right, value]] of pairs.entries()) {
    table.writeUInt16BE(left, 18 + i * 6)
    table.writeUInt16BE(right, 20 + i * 6)
    table.writeInt16BE(value, 22 + i * 6)
  }
  return table
}

/** Version 3: no names of glyphs. */
function withoutNames(post: Buffer): Buffer {
  const short = Buffer.from(post.subarray(0, 32))
  short.writeUInt32BE(0x00030000, 0)
  return short
}

function fileOf(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const power = Math.floor(Math.log2(tables.length))
  const head = Buffer.alloc(12 + tables.length * 16)
  head.writeUInt32BE(0x00010000, 0)
  head.writeUInt16BE(tables.length, 4)
  head.writeUInt16BE(16 * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(tables.length * 16 - 16 * 2 ** power, 10)
  const bodies: Buffer[] = []
  let at = head.length
  for (const [i, [tag, table]] of tables.entries()) {
    const body = padded(table)
    head.write(tag, 12 + i * 16, 'latin1')
    head.writeUInt32BE(sumOf(body), 16 + i * 16)
    head.writeUInt32BE(at, 20 + i * 16)
    head.writeUInt32BE(table.length, 24 + i * 16)
    bodies.push(body)
    at += body.length
  }
  const file = Buffer.concat([head, ...bodies])
  const headAt = head.readUInt32BE(20 + tables.findIndex(([tag]) => tag === 'head') * 16)
  file.writeUInt32BE((0xb1b0afba - sumOf(file)) >>> 0, headAt + 8)
  return file
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

function sumOf(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
