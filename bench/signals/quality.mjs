// How good the answers are, on the labelled questions over the demo catalogue, beside plain BM25.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSignalSearch } from '../../dist/app/open-signal-search.js'
import { openStorage } from '../../dist/app/open-storage.js'
import { CLI } from '../support/processes.mjs'
import { createBm25 } from './bm25.mjs'
import { demoCatalogue } from './generate.mjs'

const LABELLED = new URL('./labelled/', import.meta.url)
const LOOKED_AT = 10
const LATER = ['nonsense', 'stage', 'tier']

export async function measureQuality(splits) {
  // Who may see a signal is no part of the question here.
  const catalogue = demoCatalogue().map(({ visibility: _, ...signal }) => signal)
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bench-'))
  try {
    const data = join(folder, 'data')
    importAll(catalogue, folder, data)
    const config = { data, databasePool: 2 }
    const storage = await openStorage(config)
    const search = openSignalSearch({ config, storage, onFault: console.error })
    search.start()
    await vectorsOf(search)
    for (const split of splits) await measureSplit(split, search, createBm25(catalogue))
    await search.stop()
    await storage.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function importAll(catalogue, folder, data) {
  const file = join(folder, 'catalogue.jsonl')
  writeFileSync(file, catalogue.map((signal) => `${JSON.stringify(signal)}\n`).join(''))
  const done = spawnSync(
    process.execPath,
    [CLI, 'signals', 'import', file, '--create', '--data', data],
    {
      encoding: 'utf8',
    },
  )
  if (done.status !== 0) throw new Error(`import failed: ${done.stderr}${done.stdout}`)
}

async function vectorsOf(search) {
  for (;;) {
    const { signals, vectors, model } = await search.status()
    if (model.state === 'missing') return console.log(`without the sentence model: ${model.reason}`)
    if (vectors >= signals) return console.log(`${signals} signals, ${vectors} vectors`)
    await pause(500)
  }
}

async function measureSplit(split, search, bm25) {
  const questions = readdirSync(LABELLED)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(new URL(file, LABELLED), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .filter((question) => question.split === split)
  const rows = []
  for (const { query, kind, relevant, below = [], absent = [] } of questions) {
    const asked = { signal_spec: query, limit: LOOKED_AT, offset: 0 }
    const { hits, total } = await search.search(asked, new AbortController().signal)
    const ours = hits.map(({ signal_agent_segment_id: id }) => id)
    rows.push({
      kind,
      total,
      apart: isApart(ours, { relevant, below, absent }) ? 1 : 0,
      ours: figures(ours, relevant),
      bm25: figures(bm25(query, LOOKED_AT), relevant),
    })
  }
  console.log(
    `\n${split}: ${rows.length} questions          hit@1 hit@3 hit@10   MRR  nDCG@10   found  apart`,
  )
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort()
  for (const kind of kinds)
    report(
      kind,
      rows.filter((row) => row.kind === kind),
    )
  // The later kinds are apart, so that this stays comparable.
  report(
    'all',
    rows.filter(({ kind }) => !LATER.includes(kind)),
  )
}

/** Whether none of `below` stands above what was asked for, and none of `absent` is there at all. */
function isApart(ids, { relevant, below, absent }) {
  const first = ids.findIndex((id) => relevant[id] > 1)
  const above = first < 0 ? ids : ids.slice(0, first)
  return !below.some((id) => above.includes(id)) && !absent.some((id) => ids.includes(id))
}

/** Where nothing fits, nothing is the right answer. */
function figures(ids, relevant) {
  if (Object.keys(relevant).length === 0) {
    const isRight = ids.length === 0 ? 1 : 0
    return [isRight, isRight, isRight, isRight, isRight]
  }
  const first = ids.findIndex((id) => relevant[id] > 0)
  const within = (place) => (first >= 0 && first < place ? 1 : 0)
  const gain = (grades) =>
    grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
  const best = Object.values(relevant).sort((a, b) => b - a)
  return [
    ...[within(1), within(3), within(10), first < 0 ? 0 : 1 / (first + 1)],
    gain(ids.map((id) => relevant[id] ?? 0)) / gain(best.slice(0, LOOKED_AT)),
  ]
}

function report(name, rows) {
  for (const who of ['ours', 'bm25']) {
    const sums = rows.reduce((sum, row) => sum.map((x, at) => x + row[who][at]), [0, 0, 0, 0, 0])
    const shown = sums.map((sum) => (sum / rows.length).toFixed(3))
    const mean = (member) => rows.reduce((sum, row) => sum + row[member], 0) / rows.length
    const more =
      who === 'ours' ? `  ${mean('total').toFixed(1).padStart(6)}  ${mean('apart').toFixed(2)}` : ''
    console.log(
      `${name.padEnd(12)} ${String(rows.length).padStart(4)}  ${who.padEnd(6)}  ${shown.join('  ')}${more}`,
    )
  }
}
