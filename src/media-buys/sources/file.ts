// A delivery source that reads a file of the operator (spec 2.11): CSV, or JSON Lines. Each row is what one package
// delivered from `start` to `end`; it counts towards the window in which it starts. A window is available once the
// file has a row of the buy that ends with the window, or later: anything without a row by then was not delivered.
// The file is reloaded when it has changed, and may correct earlier rows.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { csvRecords } from '../../lib/row-files/csv-records.ts'
import { textLines } from '../../lib/row-files/text-lines.ts'
import { isoTime, opaqueId } from '../../protocol/schemas/common.ts'
import type {
  DeliverySource,
  DeliveryWindow,
  PackageMetrics,
  WindowDelivery,
} from '../delivery-source.ts'
import { metricsOf, sourceMetrics } from './http.ts'
import { SOURCE_LIMITS } from './limits.ts'

export interface FileSourceOptions {
  /** Ends with .csv, .jsonl or .ndjson. */
  path: string
  /** Called for rows that cannot be parsed, once for each time the file is read. */
  onFault: (error: unknown) => void
}

interface DeliveryRow {
  start: number
  end: number
  metrics: PackageMetrics
}

interface BuyRows {
  /** By start. */
  rows: DeliveryRow[]
  /** The latest end of all rows. */
  through: number
}

interface ReadFile {
  version: string
  buys: Map<string, BuyRows>
}

const rowSchema = sourceMetrics.extend({ media_buy_id: opaqueId, start: isoTime, end: isoTime })

export function createFileSource({ path, onFault }: FileSourceOptions): DeliverySource {
  let reading: Promise<ReadFile> | undefined
  let read: ReadFile | undefined

  async function current(): Promise<ReadFile> {
    const { size, mtimeMs } = await stat(path)
    if (size > SOURCE_LIMITS.fileBytes.value) throw new Error(`${path} is too large to be read`)
    const version = `${size} ${mtimeMs}`
    if (read?.version === version) return read
    reading ??= readRows(path, onFault)
      .then((buys) => {
        read = { version, buys }
        return read
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  return {
    deliveryOf: async ({ buy, windows }) => {
      const found = (await current()).buys.get(buy.media_buy_id)
      return windows.map((window): WindowDelivery => {
        if (!found || found.through < window.end) return { window, status: 'not_yet' }
        const by_package = rowsIn(found.rows, window).map(({ metrics }) => metrics)
        return { window, status: 'ready', by_package, is_final: false }
      })
    },
  }
}

/** The rows that start within the window: only they are read, however many others there are. */
function rowsIn(rows: readonly DeliveryRow[], window: DeliveryWindow): DeliveryRow[] {
  const first = firstFrom(rows, window.start)
  return rows.slice(first, firstFrom(rows, window.end))
}

/** The index of the first row that starts at or after `at`. */
function firstFrom(rows: readonly DeliveryRow[], at: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as DeliveryRow).start < at) low = middle + 1
    else high = middle
  }
  return low
}

async function readRows(
  path: string,
  onFault: (error: unknown) => void,
): Promise<Map<string, BuyRows>> {
  const buys = new Map<string, BuyRows>()
  let unread = 0
  for await (const value of path.toLowerCase().endsWith('.csv') ? ofCsv(path) : ofLines(path)) {
    const row = rowSchema.safeParse(value)
    if (!row.success) {
      unread++
      continue
    }
    const { media_buy_id, start, end, ...metrics } = row.data
    const found = buys.get(media_buy_id) ?? { rows: [], through: 0 }
    buys.set(media_buy_id, found)
    const times = { start: Date.parse(start), end: Date.parse(end) }
    found.rows.push({ ...times, metrics: metricsOf(metrics) })
    found.through = Math.max(found.through, times.end)
  }
  for (const { rows } of buys.values()) rows.sort((a, b) => a.start - b.start)
  if (unread > 0) onFault(new Error(`${unread} rows of ${path} cannot be read and were omitted`))
  return buys
}

async function* ofLines(path: string): AsyncGenerator<unknown> {
  for await (const line of textLines(createReadStream(path, 'utf8'))) {
    if (line === '') continue
    try {
      yield JSON.parse(line ?? '') as unknown
    } catch {
      yield undefined
    }
  }
}

/** A value that is not a number is unchanged: if one is required, the row is refused. */
const NUMBER = z.coerce.number()
const TEXTS: ReadonlySet<string> = new Set(['media_buy_id', 'package_id', 'start', 'end'])

async function* ofCsv(path: string): AsyncGenerator<unknown> {
  let header: readonly string[] | undefined
  for await (const { fields, fault } of csvRecords(createReadStream(path, 'utf8'))) {
    if (!header) {
      header = fields.map((field) => field.trim())
      continue
    }
    const cells = fields.map((cell, index) => [header?.[index] ?? '', cell.trim()] as const)
    const members = cells
      .filter(([name, cell]) => name !== '' && cell !== '')
      .map(([name, cell]) => [name, TEXTS.has(name) ? cell : (NUMBER.safeParse(cell).data ?? cell)])
    yield fault === undefined ? Object.fromEntries(members) : undefined
  }
}
