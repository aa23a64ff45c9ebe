import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage, type Storage } from '../../../src/app/open-storage.ts'
import type { CatalogueSignal } from '../../../src/signals/catalogue.ts'
import { embedMissing } from '../../../src/signals/matching/embed-missing.ts'
import { createQueryMatcher, type MatchPorts } from '../../../src/signals/matching/match-query.ts'
import { unpackVector } from '../../../src/signals/matching/quantise.ts'
import type { SearchQuery } from '../../../src/signals/matching/query.ts'
import {
  MODEL_DIMENSIONS,
  type SentenceModel,
} from '../../../src/signals/matching/sentence-model.ts'
import { staticTable } from '../../../src/signals/matching/static-table.ts'
import type { SqlTransaction } from '../../../src/storage/sql/database.ts'
import { catalogueSignal } from '../../support/memory-signals.ts'

let folder: string
let storage: Storage

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'adwire-matcher-'))
  storage = await openStorage({ data: folder, databaseUrl: undefined, databasePool: 2 })
})

afterEach(async () => {
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const DOGS = { name: 'Dog Owners', description: 'Households that have one dog or more.' }
const CATS = { name: 'Cat Owners', description: 'Households that have one cat or more.' }
const SKI = { name: 'Ski Travellers', description: 'Holidaymakers who book trips to the snow.' }
const CARS = { name: 'Luxury Car Intenders', description: 'Drivers who compare premium cars.' }

const signal = (id: string, over: Partial<CatalogueSignal>) =>
  catalogueSignal({ ...over, signal_agent_segment_id: id })
const put = (...signals: CatalogueSignal[]) =>
  storage.transact((tx) => storage.signals.put(tx, signals))

function matcher(over: Partial<MatchPorts> = {}) {
  const faults: unknown[] = []
  const made = createQueryMatcher({
    signals: storage.signals,
    vectors: storage.signalVectors,
    transact: storage.transact,
    table: staticTable(),
    model: async () => undefined,
    understand: (spec) => ({ intents: [{ text: spec, rewrites: [] }], avoided: [], corrected: [] }),
    now: () => 0,
    onFault: (error) => faults.push(error),
    ...over,
  })
  const search = (query: Partial<SearchQuery>) =>
    made.match({ limit: 10, offset: 0, ...query }, new AbortController().signal)
  const ids = async (query: Partial<SearchQuery>) =>
    (await search(query)).hits.map((hit) => hit.signal_agent_segment_id)
  return { made, search, ids, faults }
}

/** Knows one thing: which of a few words a text has. */
function wordModel(words: readonly string[]): SentenceModel & { texts: string[] } {
  const texts: string[] = []
  return {
    name: 'words',
    texts,
    embed: async (text) => {
      texts.push(text)
      const found = words.map((word) => (text.toLowerCase().includes(word) ? 1 : 0))
      const all = Float32Array.from([...found, 0.2])
      return all.map((x) => x / Math.hypot(...all))
    },
  }
}

test('a signal that was added, changed or removed is found so by the next search', async () => {
  const { ids } = matcher()
  await put(signal('pets', DOGS), signal('cars', CARS))
  expect((await ids({ signal_spec: 'dog owners' }))[0]).toBe('pets')
  await put(signal('pets', SKI))
  expect(await ids({ signal_spec: 'dog owners' })).not.toContain('pets')
  expect((await ids({ signal_spec: 'ski travellers' }))[0]).toBe('pets')
  await storage.transact((tx) => storage.signals.remove(tx, ['pets']))
  expect(await ids({ signal_spec: 'ski travellers' })).not.toContain('pets')
})

test('the answer does not depend on how the catalogue came to be what it is', async () => {
  const followed = matcher()
  await put(signal('a', SKI), signal('c', CATS), signal('gone', DOGS))
  await followed.ids({ signal_spec: 'cat owners' })
  await put(signal('a', DOGS), signal('b', CARS))
  await storage.transact((tx) => storage.signals.remove(tx, ['gone']))
  for (const spec of ['owners of a dog', 'cat owners', 'luxury cars', 'households']) {
    expect(await followed.search({ signal_spec: spec })).toEqual(
      await matcher().search({ signal_spec: spec }),
    )
  }
})

test('without words, all that passes is listed by id, and pages follow each other', async () => {
  await put(...['d', 'b', 'a', 'c'].map((id) => signal(id, { ...DOGS, countries: ['US'] })))
  await put(signal('e', { ...DOGS, countries: ['FR'] }))
  const { ids, search } = matcher()
  expect(await ids({ countries: ['US'], limit: 3 })).toEqual(['a', 'b', 'c'])
  expect(await ids({ countries: ['US'], limit: 3, offset: 3 })).toEqual(['d'])
  expect((await search({ countries: ['US'], limit: 1 })).total).toBe(4)
})

test('only the signals that were named are looked at', async () => {
  await put(signal('dogs', DOGS), signal('cats', CATS))
  const { ids } = matcher()
  expect(await ids({ signal_spec: 'dog owners', among: ['cats', 'missing'] })).not.toContain('dogs')
  expect(await ids({ among: ['cats', 'missing'] })).toEqual(['cats'])
})

test('spec 4.3: what only its price keeps away is counted, of a search those that fit', async () => {
  const cpm = (cpm: number, currency: string) => ({
    pricing_options: [{ pricing_option_id: 'o', model: 'cpm' as const, cpm, currency }],
  })
  await put(
    signal('dogs', { ...DOGS, ...cpm(7.8, 'USD') }),
    signal('euro-dogs', { ...DOGS, ...cpm(0.5, 'EUR') }),
    signal('cheap-dogs', { ...DOGS, ...cpm(0.5, 'USD') }),
    signal('ski', { ...SKI, ...cpm(11.5, 'USD') }),
  )
  const { search } = matcher()
  const price = { max_cpm: 1, currency: 'USD' }
  const listed = await search(price)
  expect(listed.hits.map((hit) => hit.signal_agent_segment_id)).toEqual(['cheap-dogs'])
  expect(listed.omitted).toMatchObject({ byCpm: 3 })
  const found = await search({ signal_spec: 'Dog Owners', ...price })
  expect(found.hits.map((hit) => hit.signal_agent_segment_id)).toEqual(['cheap-dogs'])
  expect(found.omitted).toMatchObject({ byCpm: 2, better: { count: 0 } })
  expect((await search({ signal_spec: 'Dog Owners' })).omitted).toBeUndefined()
})

test('nothing is found for words that mean nothing here', async () => {
  await put(signal('dogs', DOGS), signal('ski', SKI))
  expect(await matcher().ids({ signal_spec: 'lattice quantum chromodynamics' })).toEqual([])
})

test('a requested name is reported as a match', async () => {
  await put(signal('dogs', DOGS), signal('cats', CATS))
  const { hits } = await matcher().search({ signal_spec: 'dog owners' })
  expect(hits[0]).toMatchObject({ signal_agent_segment_id: 'dogs', reason: 'name matches' })
})

test('each hit says by itself why it is included, and what about it differs from the request', async () => {
  await put(
    signal('dogs', DOGS),
    signal('walkers', {
      name: 'Dog Walkers',
      description: 'Neighbours who are owners of no dog and walk others.',
    }),
    signal('puppies', {
      name: 'Puppy Intenders',
      description: 'Households planning to become dog owners.',
    }),
  )
  const { search } = matcher({
    understand: (spec) => ({
      intents: [{ text: spec, rewrites: [], stage: 'intender' }],
      avoided: [],
      corrected: [],
    }),
  })
  const { hits } = await search({ signal_spec: 'future dog owners' })
  const reasons = new Map(hits.map((hit) => [hit.signal_agent_segment_id, hit.reason]))
  expect(reasons.get('dogs')).toBe(
    '‘dog’ and ‘owners’ in its name; holds people who have it, not people who want it',
  )
  expect(reasons.get('puppies')).toBe('‘dog’ and ‘owners’ in its description')
  expect(new Set(reasons.values()).size).toBe(reasons.size)
})

test('spec 4.3: a clearly better match that the filters hide is reported, with where it goes', async () => {
  const openx = { type: 'platform' as const, platform: 'openx', is_live: false }
  await put(
    signal('dogs', { ...DOGS, deployments: [openx, { ...openx, platform: 'z', account: 'a' }] }),
    signal('cats', CATS),
    signal('secret', { ...DOGS, visibility: { principals: ['bob'] } }),
  )
  const { search } = matcher()
  const deployments = [{ type: 'platform' as const, platform: 'sandbox' }]
  const principal = { principal_id: 'prn_alice', name: 'alice' }
  const { omitted } = await search({ signal_spec: 'Dog Owners', deployments, principal })
  expect(omitted).toEqual({
    byCpm: 0,
    better: { count: 1, filters: ['deployments'], places: ['openx'] },
  })
  expect(
    (await search({ signal_spec: 'Cat Owners', deployments, principal })).omitted,
  ).toBeUndefined()
})

test('vectors that a search needs and no one has made are made at once, and stored', async () => {
  const model = wordModel(['snow', 'dog'])
  await put(signal('dogs', DOGS), signal('ski', SKI))
  const { ids } = matcher({ model: async () => model })
  expect((await ids({ signal_spec: 'snow' }))[0]).toBe('ski')
  expect(await storage.signalVectors.counts('words')).toMatchObject({ signals: 2, vectors: 2 })
  const before = model.texts.length
  await ids({ signal_spec: 'snow' })
  expect(model.texts.length).toBe(before)
})

test('spec 4.3: what means a text that describes no audience more than any signal finds nothing', async () => {
  const folder = new URL('../../../src/signals/matching/elsewhere/', import.meta.url)
  const [text = ''] = readFileSync(new URL('texts.txt', folder), 'utf8').split('\n')
  const bytes = new Uint8Array(readFileSync(new URL('vectors.bin', folder)))
  const elsewhere = Float32Array.from(unpackVector(bytes.subarray(0, 4 + MODEL_DIMENSIONS)).steps)
  const length = Math.hypot(...elsewhere)
  // Every signal is half-way there, which by itself would be near enough.
  const model: SentenceModel = {
    name: 'half-way',
    embed: async (requested) =>
      requested === text ? elsewhere : elsewhere.map((x, at) => x + (at === 0 ? 1.5 * length : 0)),
  }
  await put(signal('dogs', DOGS), signal('ski', SKI))
  const { ids } = matcher({ model: async () => model })
  expect(await ids({ signal_spec: 'dog owners' })).toContain('dogs')
  expect(await ids({ signal_spec: text })).toEqual([])
})

test('a search whose time for making vectors is over continues without them', async () => {
  let time = 0
  const model = wordModel(['snow', 'dog'])
  await put(signal('dogs', DOGS), signal('ski', SKI))
  const { ids } = matcher({ model: async () => model, now: () => (time += 5_000) })
  expect((await ids({ signal_spec: 'ski travellers' }))[0]).toBe('ski')
  expect((await storage.signalVectors.counts('words')).vectors).toBe(0)
})

test('a model that fails is reported, and the search continues with the table', async () => {
  await put(signal('dogs', DOGS), signal('ski', SKI))
  const broken = { name: 'broken', embed: () => Promise.reject(new Error('out of memory')) }
  const { ids, faults } = matcher({ model: async () => broken })
  expect((await ids({ signal_spec: 'dog owners' }))[0]).toBe('dogs')
  expect(faults.length).toBeGreaterThan(0)
})

test('what is misread for a misspelling is also looked for as it was spelt', async () => {
  await put(signal('dogs', DOGS), signal('ski', SKI))
  const { ids } = matcher({
    understand: () => ({
      intents: [{ text: 'desk owners', rewrites: [] }],
      avoided: [],
      corrected: [{ from: 'dog', to: 'desk' }],
    }),
  })
  expect((await ids({ signal_spec: 'dog owners' }))[0]).toBe('dogs')
})

test('a search that was aborted is not answered', async () => {
  await put(signal('dogs', DOGS))
  const { made } = matcher()
  const gone = AbortSignal.abort(new Error('the caller has gone'))
  const searching = made.match({ signal_spec: 'dogs', limit: 1, offset: 0 }, gone)
  await expect(searching).rejects.toThrow('the caller has gone')
})

const embedPorts = (model: SentenceModel) => ({
  vectors: storage.signalVectors,
  transact: storage.transact,
  modelName: model.name,
  model: async () => model,
  onFault: () => {},
})

test('in the background every signal gets its vector, until there is nothing left to do', async () => {
  const model = wordModel(['snow', 'dog'])
  await put(
    ...Array.from({ length: 70 }, (_, n) => signal(`s${n}`, { ...DOGS, name: `Dogs ${n}` })),
  )
  const ports = embedPorts(model)
  const { signal: stop } = new AbortController()
  let rounds = 0
  while (await embedMissing(ports, stop)) rounds++
  expect(rounds).toBe(3)
  expect(await storage.signalVectors.counts('words')).toMatchObject({ vectors: 70, isWhole: true })
})

test('a text that the model dies of is left to its words after a few deaths, and the others are not', async () => {
  await put(...Array.from({ length: 3 }, (_, n) => signal(`s${n}`, { ...DOGS, name: `Dogs ${n}` })))
  const model = wordModel(['dog'])
  const { embed } = model
  let deaths = 0
  model.embed = async (text, urgency) => {
    if (!text.startsWith('Dogs 1')) return embed(text, urgency)
    deaths += 1
    throw new Error('the thread of the sentence model died')
  }
  const faults: unknown[] = []
  const ports = { ...embedPorts(model), onFault: (error: unknown) => faults.push(error) }
  // As after a pause: what no one ended is due.
  const pass = () =>
    storage.transact((tx) =>
      (tx as SqlTransaction).run('UPDATE signal_vector_claims SET lease_until = 0'),
    )
  for (let round = 0; round < 12; round++) {
    await embedMissing(ports, new AbortController().signal).catch(() => false)
    await pass()
  }
  expect(deaths).toBe(3)
  expect(faults).toHaveLength(1)
  expect(await storage.signalVectors.counts('words')).toMatchObject({ vectors: 3, isWhole: true })
})

test('work in the background that is stopped keeps what it has made', async () => {
  const stopping = new AbortController()
  const model = wordModel(['dog'])
  const embed = model.embed
  model.embed = (text, urgency) => {
    if (model.texts.length === 4) stopping.abort()
    return embed(text, urgency)
  }
  await put(...Array.from({ length: 9 }, (_, n) => signal(`s${n}`, { ...DOGS, name: `Dogs ${n}` })))
  const ports = embedPorts(model)
  await embedMissing(ports, stopping.signal)
  expect((await storage.signalVectors.counts('words')).vectors).toBe(5)
})
