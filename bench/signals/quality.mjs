// How good the answers are, on the labelled questions over the demo catalogue, beside plain BM25.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openSignalSearch } from '../../dist/app/open-signal-search.js'
import { openStorage } from '../../dist/app/open-storage.js'
import { createModelThread } from '../../dist/signals/search/threaded-model.js'
import { CLI } from '../support/processes.mjs'
import { measureAblation } from './ablation.mjs'
import { createBm25 } from './bm25.mjs'
import { demoCatalogue } from './generate.mjs'
import { askAll, figuresOf, LATER, LOOKED_AT, meanOf, questionsOf } from './labelled.mjs'

/** In the process of the bench, for what the server has no setting for. */
const MODEL_WORKER = new URL('../../dist/signals/search/model-worker.js', import.meta.url)

export async function measureQuality(splits, { withAblation }) {
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
    const bm25 = createBm25(catalogue)
    for (const split of splits) await measureSplit(split, search, bm25)
    await search.stop()
    if (withAblation) await leaveOut(splits, storage, bm25)
    await storage.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function leaveOut(splits, { signals, signalVectors: vectors, transact }, bm25) {
  const thread = createModelThread(MODEL_WORKER, console.error)
  const stores = { signals, vectors, transact }
  await measureAblation({ splits, stores, model: thread.model, bm25 })
  await thread.close()
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
  const rows = (await askAll(questionsOf(split), search.search)).map((row) => ({
    ...row,
    ours: row.figures,
    bm25: figuresOf(bm25(row.query, LOOKED_AT), row.relevant),
  }))
  console.log(
    `\n${split}: ${rows.length} questions          hit@1 hit@3 hit@10   MRR  nDCG@10   found  apart`,
  )
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort()
  for (const kind of kinds)
    report(
      kind,
      rows.filter((row) => row.kind === kind),
    )
  report(
    'all',
    rows.filter(({ kind }) => !LATER.includes(kind)),
  )
}

function report(name, rows) {
  for (const who of ['ours', 'bm25']) {
    const returned = [0, 1, 2, 3, 4].map((at) => meanOf(rows, (row) => row[who][at]).toFixed(3))
    const mean = (member) => meanOf(rows, (row) => row[member])
    const more =
      who === 'ours' ? `  ${mean('total').toFixed(1).padStart(6)}  ${mean('apart').toFixed(2)}` : ''
    console.log(
      `${name.padEnd(12)} ${String(rows.length).padStart(4)}  ${who.padEnd(6)}  ${returned.join('  ')}${more}`,
    )
  }
}
