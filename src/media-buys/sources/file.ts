// A delivery source that is a file of the operator's (spec 2.11): CSV, or JSON lines. Each row is what one package
// delivered from `start` to `end`; it counts into the window in which it starts. A window is there once the file
// has a row of the buy that ends when the window does, or later: what has no row until then was not delivered. The
// file is read anew when it has changed, and may correct what it said before.

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
  /** Hears of rows that cannot be read, once for each reading of the file. */
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
  /** The end of the row that ends last. */
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

/** Those that start within the window: only they are looked at, however many others there are. */
function rowsIn(rows: readonly DeliveryRow[], window: DeliveryWindow): DeliveryRow[] {
  const first = firstFrom(rows, window.start)
  return rows.slice(first, firstFrom(rows, window.end))
}

/** The place of the first that starts at or after `at`. */
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

/** What is no number stays as it is: where one is due, the row is refused. */
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
