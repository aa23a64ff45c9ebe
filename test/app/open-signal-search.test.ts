import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSignalSearch } from '../../src/app/open-signal-search.ts'
import { openStorage, type Storage } from '../../src/app/open-storage.ts'
import { catalogueSignal } from '../support/memory-signals.ts'

// A worker thread needs the compiled files.
const BUILT = new URL('../../dist/app/open-signal-search.js', import.meta.url).href

let folder: string
let storage: Storage
let config: { data: string; databaseUrl: undefined; databasePool: number }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'adwire-search-'))
  config = { data: folder, databaseUrl: undefined, databasePool: 2 }
  storage = await openStorage(config)
})

afterEach(async () => {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = (id: string, name: string, description: string) =>
  storage.transact((tx) =>
    storage.signals.put(tx, [catalogueSignal({ signal_agent_segment_id: id, name, description })]),
  )

describe.each(['on its own thread', 'on this one'])('a search %s', (where) => {
  const create = async () => {
    const isThreaded = where === 'on its own thread'
    const from: typeof openSignalSearch = isThreaded
      ? (await import(BUILT)).openSignalSearch
      : openSignalSearch
    const search = from({ config, storage, onFault: () => {}, isThreaded })
    search.start()
    return search
  }

  test('finds what was put a moment ago, and ends when it is stopped', async () => {
    const search = await create()
    const ask = (spec: string) =>
      search.search({ signal_spec: spec, limit: 3, offset: 0 }, new AbortController().signal)
    try {
      expect((await ask('people who ski')).hits).toEqual([])
      await put('ski', 'Ski Travellers', 'Holidaymakers who book trips to the snow.')
      await put('dogs', 'Dog Owners', 'Households that have one dog or more.')
      expect((await ask('winter sports holidays')).hits[0]?.signal_agent_segment_id).toBe('ski')
      expect((await search.status()).signals).toBe(2)
    } finally {
      await search.stop()
    }
  })
})

test('a search in a thread has the sentence model, and makes the vectors of the catalogue', async () => {
  const { openSignalSearch: built } = (await import(BUILT)) as {
    openSignalSearch: typeof openSignalSearch
  }
  await put('ski', 'Ski Travellers', 'Holidaymakers who book trips to the snow.')
  const search = built({ config, storage, onFault: () => {} })
  try {
    const query = { signal_spec: 'folks who love fresh powder and mountains', limit: 3, offset: 0 }
    const { hits } = await search.search(query, new AbortController().signal)
    expect(hits.map((hit) => hit.signal_agent_segment_id)).toEqual(['ski'])
    expect(search.model).toEqual({ state: 'used' })
    expect(await search.status()).toEqual({ signals: 1, vectors: 1, model: { state: 'used' } })
  } finally {
    await search.stop()
  }
})

test('a search whose operator wants no sentence model has none, and says so', async () => {
  const { openSignalSearch: built } = (await import(BUILT)) as {
    openSignalSearch: typeof openSignalSearch
  }
  await put('ski', 'Ski Travellers', 'Holidaymakers who book trips to the snow.')
  const search = built({ config, storage, onFault: () => {}, hasModel: false })
  try {
    const query = { signal_spec: 'winter sports holidays', limit: 3, offset: 0 }
    const { hits } = await search.search(query, new AbortController().signal)
    expect(hits.map((hit) => hit.signal_agent_segment_id)).toEqual(['ski'])
    expect(await search.status()).toEqual({ signals: 1, vectors: 0, model: { state: 'off' } })
    expect(search.model).toEqual({ state: 'off' })
  } finally {
    await search.stop()
  }
})
