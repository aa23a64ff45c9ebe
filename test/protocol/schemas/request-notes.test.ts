import { describe, expect, test } from 'vitest'
import { getProductsRequest } from '../../../src/protocol/schemas/get-products.ts'
import { getSignalsRequest } from '../../../src/protocol/schemas/get-signals.ts'
import { getMediaBuysRequest } from '../../../src/protocol/schemas/media-buys.ts'
import { requestNotes } from '../../../src/protocol/schemas/request-notes.ts'

describe('spec 9: a request that is read otherwise than it was meant is answered with a note', () => {
  test.each([
    ['camelCase', { maxResults: 5 }, '/maxResults is not read: did you mean max_results?'],
    [
      'camelCase of several words, deep inside',
      { filters: { minCoveragePercentage: 5 } },
      '/filters/minCoveragePercentage is not read: did you mean min_coverage_percentage?',
    ],
    ['PascalCase', { SignalSpec: 'shoes' }, '/SignalSpec is not read: did you mean signal_spec?'],
  ])('%s', (_what, request, note) => {
    expect(requestNotes(getSignalsRequest, request)).toEqual([note])
  })

  test('a filter that the task does not have', () => {
    const [note, ...others] = requestNotes(getProductsRequest, { filters: { min_exposures: 9 } })
    expect(others).toEqual([])
    expect(note).toMatch(
      /^\/filters\/min_exposures is not applied: this task has no such filter, only delivery_type, /,
    )
  })

  test('max_results beside pagination, where only pagination is read', () => {
    expect(requestNotes(getMediaBuysRequest, { max_results: 5 })).toEqual([
      '/max_results is not read: did you mean pagination.max_results?',
    ])
  })

  test('two sizes of a page', () => {
    const request = { max_results: 5, pagination: { max_results: 9 } }
    expect(requestNotes(getSignalsRequest, request)).toEqual([
      '/max_results is not applied: pagination.max_results is given as well',
    ])
    const same = { max_results: 5, pagination: { max_results: 5 } }
    expect(requestNotes(getSignalsRequest, same)).toEqual([])
  })

  test.each([
    ['UK', 'UK is not an ISO 3166-1 country code: use GB'],
    ['uk', 'uk is not an ISO 3166-1 country code: use GB'],
    ['EL', 'EL is not an ISO 3166-1 country code: use GR'],
    ['XQ', 'XQ is not an ISO 3166-1 country code'],
    ['ZZ', 'ZZ is not an ISO 3166-1 country code'],
  ])('the country %s', (code, reason) => {
    const request = { filters: { countries: ['GB', code] } }
    expect(requestNotes(getProductsRequest, request)).toEqual([`/filters/countries/1: ${reason}`])
    const package_ = { targeting_overlay: { geo_countries_exclude: [code] } }
    expect(requestNotes(getProductsRequest, { packages: [package_] })).toEqual([
      `/packages/0/targeting_overlay/geo_countries_exclude/0: ${reason}`,
    ])
  })

  test('countries that there are get none', () => {
    const countries = ['US', 'gb', 'DE', 'XK', 'TW', 'PS']
    expect(requestNotes(getProductsRequest, { filters: { countries } })).toEqual([])
  })

  test.each([
    [{ type: 'platform', platform: 'dv360', agent_url: 'https://a.example' }, 'agent_url'],
    [{ type: 'agent', platform: 'dv360', agent_url: 'https://a.example' }, 'platform'],
  ])('a target with a platform and an agent', (target, other) => {
    const [note] = requestNotes(getSignalsRequest, { deployments: [target] })
    expect(note).toContain(`/deployments/0/${other} is not read: type is ${target.type}`)
  })

  test('what is the caller’s own is not looked at', () => {
    const own = { countries: ['UK'], maxResults: 1, platform: 'a', agent_url: 'b', type: 'agent' }
    expect(requestNotes(getSignalsRequest, { context: own, ext: own })).toEqual([])
  })

  test('ten are reported however many, and no more than five thousand values are looked at', () => {
    const countries = Array.from({ length: 10_000 }, () => 'UK')
    expect(requestNotes(getProductsRequest, { filters: { countries } })).toHaveLength(10)
    const targets = Array.from({ length: 10_000 }, () => ({ country: 'DE' }))
    const request = { other: [...targets, { country: 'UK' }] }
    expect(requestNotes(getProductsRequest, request)).toEqual([])
  })
})
