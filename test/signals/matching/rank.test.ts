import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, type Look, rankCandidates } from '../../../src/signals/matching/rank.ts'

const look = (over: Partial<Look> = {}): Look => ({
  model: 0.5,
  table: 0.4,
  lexical: 0.2,
  name: 0,
  ...over,
})
const candidate = (id: string, over: Partial<Candidate> = {}): Candidate => ({
  id,
  looks: [[look()]],
  avoided: [],
  ...over,
})
const order = (candidates: readonly Candidate[], intents = 1) =>
  rankCandidates(new Array(intents).fill({}), candidates).map(({ id }) => id)

describe('the order', () => {
  test('is by meaning', () => {
    const far = candidate('far', { looks: [[look({ model: 0.4 })]] })
    const near = candidate('near', { looks: [[look({ model: 0.7 })]] })
    expect(order([far, near])).toEqual(['near', 'far'])
  })

  test('has a name that matches first, though another means nearly the same', () => {
    const named = candidate('named', { looks: [[look({ model: 0.6, name: 1, lexical: 0.9 })]] })
    const alike = candidate('alike', { looks: [[look({ model: 0.75, lexical: 0.6 })]] })
    expect(order([alike, named])).toEqual(['named', 'alike'])
  })

  test('has owners behind intenders when intenders are requested', () => {
    const owners = candidate('owners', { stage: 'owner', looks: [[look({ model: 0.53 })]] })
    const intenders = candidate('intenders', { stage: 'intender' })
    const ids = rankCandidates([{ stage: 'intender' }], [owners, intenders]).map(({ id }) => id)
    expect(ids).toEqual(['intenders', 'owners'])
    expect(order([owners, intenders])).toEqual(['owners', 'intenders'])
  })

  test('has owners behind intenders also where they are much nearer by their words', () => {
    const owners = candidate('owners', { stage: 'owner', looks: [[look({ model: 0.6 })]] })
    const intenders = candidate('intenders', { stage: 'intender' })
    const ids = (names: Record<string, string>) =>
      rankCandidates([{ stage: 'intender' }], [owners, intenders], (id) => names[id] ?? '').map(
        ({ id }) => id,
      )
    const same = { owners: 'Solar Panel Owners', intenders: 'Rooftop Solar Intenders' }
    expect(ids(same)).toEqual(['intenders', 'owners'])
    // Not where they have something else.
    expect(ids({ ...same, owners: 'Motorcycle Owners' })).toEqual(['owners', 'intenders'])
  })

  test('goes by id where the scores are equal', () => {
    expect(order([candidate('b'), candidate('a'), candidate('c')])).toEqual(['a', 'b', 'c'])
  })

  test('lets the intents take turns', () => {
    const of = (id: string, first: number, second: number) =>
      candidate(id, { looks: [[look({ model: first })], [look({ model: second })]] })
    const all = [of('a1', 0.8, 0), of('a2', 0.78, 0), of('b1', 0, 0.7), of('b2', 0, 0.69)]
    expect(order(all, 2)).toEqual(['a1', 'b1', 'a2', 'b2'])
  })

  test('does not let an intent take turns that hardly anything fits', () => {
    const of = (id: string, first: number, second: number) =>
      candidate(id, { looks: [[look({ model: first })], [look({ model: second })]] })
    const all = [of('a1', 0.8, 0), of('a2', 0.78, 0), of('b1', 0, 0.35)]
    expect(order(all, 2)).toEqual(['a1', 'a2', 'b1'])
  })
})

describe('nothing is returned', () => {
  test('that has nothing to do with the question', () => {
    expect(order([candidate('far', { looks: [[look({ model: 0.2, lexical: 0 })]] })])).toEqual([])
  })

  test('that is far beside what fits well, though alone it would be a match', () => {
    const near = candidate('near', { looks: [[look({ model: 0.9, lexical: 0.9 })]] })
    const far = candidate('far', { looks: [[look({ model: 0.36, table: 0.1, lexical: 0 })]] })
    expect(order([far])).toEqual(['far'])
    expect(order([far, near])).toEqual(['near'])
  })

  test('that is of the cheap kind when the dear one is requested', () => {
    const value = candidate('value', { tier: 'cheap', looks: [[look({ model: 0.8 })]] })
    const premium = candidate('premium', { tier: 'dear' })
    const ids = (tier: 'dear' | 'cheap') =>
      rankCandidates([{ tier }], [value, premium]).map(({ id }) => id)
    expect([ids('dear'), ids('cheap')]).toEqual([['premium'], ['value']])
  })

  test('that means what is to be avoided', () => {
    const unwanted = candidate('unwanted', { avoided: [look({ model: 0.7 })] })
    expect(order([unwanted, candidate('wanted', { avoided: [look({ model: 0.1 })] })])).toEqual([
      'wanted',
    ])
  })
})

test('relevance is from 0 to 1 and never rises down the list', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const looks = fc.record({ model: share, table: share, lexical: share, name: share })
  const candidates = fc.array(fc.array(looks, { minLength: 2, maxLength: 2 }), { maxLength: 20 })
  fc.assert(
    fc.property(candidates, (all) => {
      const ranked = rankCandidates(
        [{}, {}],
        all.map(([a, b], at) => candidate(`c${at}`, { looks: [[a!], [b!]] })),
      )
      const relevances = ranked.map(({ relevance }) => relevance)
      expect(relevances).toEqual([...relevances].sort((a, b) => b - a))
      expect(relevances.every((x) => x >= 0 && x <= 1)).toBe(true)
    }),
  )
})
