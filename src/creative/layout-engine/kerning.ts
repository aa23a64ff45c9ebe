// How far two neighbouring glyphs move together: the pair adjustments (lookup type 2) of a font's
// GPOS table. Without them a line of large type would be measured some percent too wide.

/** In units of the font; 0 for a pair without adjustment. */
export type Kerning = (left: number, right: number) => number

export function readKerning(gpos: Buffer): Kerning {
  const list = gpos.subarray(gpos.readUInt16BE(8))
  const lookups: PairTable[][] = []
  for (let i = 0; i < list.readUInt16BE(0); i++) {
    const lookup = list.subarray(list.readUInt16BE(2 + i * 2))
    if (lookup.readUInt16BE(0) !== PAIR_ADJUSTMENT) continue
    const offsets = Array.from({ length: lookup.readUInt16BE(4) }, (_, n) =>
      lookup.readUInt16BE(6 + n * 2),
    )
    lookups.push(offsets.map((offset) => readPairTable(lookup.subarray(offset))))
  }
  // Within a lookup, the first table that contains the pair decides; lookups are for different scripts.
  const find: Kerning = (left, right) => {
    for (const tables of lookups) {
      for (const table of tables) {
        const value = table(left, right)
        if (value !== undefined && value !== 0) return value
        if (value !== undefined) break
      }
    }
    return 0
  }
  const known = new Map<number, number>()
  return (left, right) => {
    const pair = left * 65_536 + right
    let value = known.get(pair)
    if (value === undefined) {
      value = find(left, right)
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(pair, value)
    }
    return value
  }
}

/** The number of cached pairs: texts have some hundreds. */
const MOST_KNOWN = 10_000
const PAIR_ADJUSTMENT = 2
const X_ADVANCE = 4

type PairTable = (left: number, right: number) => number | undefined

function readPairTable(table: Buffer): PairTable {
  const coverage = readCoverage(table.subarray(table.readUInt16BE(2)))
  const [first, second] = [table.readUInt16BE(4), table.readUInt16BE(6)]
  const record = { size: (bits(first) + bits(second)) * 2, advance: bits(first & (X_ADVANCE - 1)) }
  if ((first & X_ADVANCE) === 0) return () => undefined
  return table.readUInt16BE(0) === 1
    ? pairsByGlyph(table, coverage, record)
    : pairsByClass(table, coverage, record)
}

function pairsByGlyph(table: Buffer, coverage: Map<number, number>, record: ValueRecord) {
  const sets = new Map<number, Map<number, number>>()
  for (const [glyph, index] of coverage) {
    const set = table.subarray(table.readUInt16BE(10 + index * 2))
    const pairs = new Map<number, number>()
    for (let i = 0; i < set.readUInt16BE(0); i++) {
      const at = 2 + i * (2 + record.size)
      pairs.set(set.readUInt16BE(at), set.readInt16BE(at + 2 + record.advance * 2))
    }
    sets.set(glyph, pairs)
  }
  return (left: number, right: number) => sets.get(left)?.get(right)
}

function pairsByClass(table: Buffer, coverage: Map<number, number>, record: ValueRecord) {
  const leftClasses = readClasses(table.subarray(table.readUInt16BE(8)))
  const rightClasses = readClasses(table.subarray(table.readUInt16BE(10)))
  const rightCount = table.readUInt16BE(14)
  return (left: number, right: number) => {
    if (!coverage.has(left)) return undefined
    const cell = (leftClasses.get(left) ?? 0) * rightCount + (rightClasses.get(right) ?? 0)
    return table.readInt16BE(16 + cell * record.size + record.advance * 2)
  }
}

interface ValueRecord {
  /** Bytes of both values. */
  size: number
  /** Fields before the advance. */
  advance: number
}

function readCoverage(table: Buffer): Map<number, number> {
  const indexes = new Map<number, number>()
  for (let i = 0; i < table.readUInt16BE(2); i++) {
    if (table.readUInt16BE(0) === 1) {
      indexes.set(table.readUInt16BE(4 + i * 2), i)
      continue
    }
    const range = 4 + i * 6
    const start = table.readUInt16BE(range)
    for (let glyph = start; glyph <= table.readUInt16BE(range + 2); glyph++)
      indexes.set(glyph, table.readUInt16BE(range + 4) + glyph - start)
  }
  return indexes
}

function readClasses(table: Buffer): Map<number, number> {
  const classes = new Map<number, number>()
  if (table.readUInt16BE(0) === 1) {
    for (let i = 0; i < table.readUInt16BE(4); i++)
      classes.set(table.readUInt16BE(2) + i, table.readUInt16BE(6 + i * 2))
    return classes
  }
  for (let i = 0; i < table.readUInt16BE(2); i++) {
    const range = 4 + i * 6
    for (let glyph = table.readUInt16BE(range); glyph <= table.readUInt16BE(range + 2); glyph++)
      classes.set(glyph, table.readUInt16BE(range + 4))
  }
  return classes
}

function bits(value: number): number {
  return value.toString(2).replaceAll('0', '').length
}
