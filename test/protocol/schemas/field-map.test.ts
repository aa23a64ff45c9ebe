import { expect, test } from 'vitest'
import type { ActivateSignalRequest } from '../../../src/protocol/schemas/activate-signal.ts'
import type { BuildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import {
  activationTargets,
  assetTypeOf,
  formatIdOf,
  manifestOf,
  maxResults,
  offeringsOf,
  oneOrMany,
  signalSpec,
  signalTargets,
  targetFormatIds,
} from '../../../src/protocol/schemas/field-map.ts'
import type { GetSignalsRequest } from '../../../src/protocol/schemas/get-signals.ts'
import { targetKey } from '../../../src/protocol/target-place.ts'
import { formatId, generative, manifest } from './every-task.ts'

const platform = { type: 'platform', platform: 'the-trade-desk', account: 'agency-123' } as const
const agent = { type: 'agent', agent_url: 'https://seller.example.com' } as const

test('spec 4.3: the targets of a search are the same under every name they go by', () => {
  const countries = ['us', 'DE', 'US']
  const expected = { deployments: [platform, agent], countries: ['US', 'DE'] }
  const requests: GetSignalsRequest[] = [
    { deliver_to: { deployments: [platform, agent], countries } },
    { destinations: [platform, agent], countries },
    { destinations: { deployments: [platform, agent], countries } },
    { deployments: [platform, agent], countries },
    { deliver_to: { platforms: [platform], deployments: [agent] }, countries },
    { deliver_to: { deployments: [platform] }, destinations: [{ ...agent, extra: 1 }], countries },
  ]
  for (const request of requests) {
    const { deployments, countries: read } = signalTargets(request)
    expect(read).toEqual(expected.countries)
    expect(deployments).toHaveLength(2)
    expect(deployments).toEqual(expect.arrayContaining(expected.deployments))
  }
})

test('no target, or all platforms, means anywhere', () => {
  expect(signalTargets({})).toEqual({ deployments: 'any', countries: [] })
  expect(signalTargets({ deliver_to: { platforms: 'all', countries: ['US'] } })).toEqual({
    deployments: 'any',
    countries: ['US'],
  })
})

test('the targets of an activation are the same under every name, each once', () => {
  const named: Omit<ActivateSignalRequest, 'signal_agent_segment_id'>[] = [
    { deployments: [agent, agent] },
    { destinations: [agent] },
    { deliver_to: { deployments: [agent] } },
    { deployments: [agent], destinations: [agent] },
  ]
  for (const targets of named) {
    expect(activationTargets({ signal_agent_segment_id: 's', ...targets })).toEqual([agent])
  }
  expect(targetKey(platform)).not.toBe(targetKey({ ...platform, account: 'other' }))
})

test('the number of results is that of the page, else of the request, else the default', () => {
  expect(maxResults({})).toBe(10)
  expect(maxResults({}, 50)).toBe(50)
  expect(maxResults({ max_results: 7 })).toBe(7)
  expect(maxResults({ max_results: 7, pagination: { max_results: 3 } })).toBe(3)
  expect(maxResults({ max_results: 7, pagination: { cursor: 'c' } })).toBe(7)
})

test('a search and its older name are the same words', () => {
  expect(signalSpec({ signal_spec: 'a', brief: 'b' })).toBe('a')
  expect(signalSpec({ brief: 'b' })).toBe('b')
  expect(signalSpec({ signal_refs: [{ scope: 'product', signal_id: 's' }] })).toBeUndefined()
})

test('a format is named beside the manifest or inside it, one target or several', () => {
  const other = { ...formatId, id: 'other' }
  expect(formatIdOf({ creative_manifest: manifest as never })).toEqual(formatId)
  expect(formatIdOf({ format_id: other, creative_manifest: manifest as never })).toEqual(other)
  expect(formatIdOf({})).toBeUndefined()
  expect(targetFormatIds({ target_format_id: formatId })).toEqual([formatId])
  expect(targetFormatIds({ target_format_ids: [formatId, other] })).toEqual([formatId, other])
  expect(targetFormatIds({})).toEqual([])
})

test('a synced creative is one manifest, however it was given', () => {
  const whole = manifest as NonNullable<BuildCreativeRequest['creative_manifest']>
  const flat = { creative_id: 'c', format_id: formatId, assets: whole.assets }
  expect(manifestOf({ creative_id: 'c', creative_manifest: whole })).toEqual(whole)
  expect(manifestOf(flat)).toEqual(whole)
  expect(manifestOf({ creative_id: 'c' })).toEqual({ assets: {} })
})

test('spec 2.4: the brand and its offerings are found wherever they stand', () => {
  const { brand_manifest, inline_offerings } = generative.assets.promoted_offerings
  const expected = { brand_manifest, offerings: inline_offerings }
  const requests: BuildCreativeRequest[] = [
    { creative_manifest: generative },
    {
      creative_manifest: {
        assets: { promoted_offerings: { brand_manifest, offerings: inline_offerings } },
      },
    },
    { promoted_offerings: { brand_manifest, inline_offerings } },
    {
      brand_manifest,
      creative_manifest: {
        assets: { feed: { asset_type: 'catalog', offerings: inline_offerings } },
      },
    },
  ]
  for (const request of requests) expect(offeringsOf(request)).toEqual(expected)
  expect(
    offeringsOf({
      brand: { domain: 'acme.example' },
      creative_manifest: { promoted_offering: 'Shoes' },
    }),
  ).toEqual({ brand: { domain: 'acme.example' }, offerings: [{ name: 'Shoes' }] })
  expect(offeringsOf({})).toEqual({ offerings: [] })
})

test('an asset is what it says, else what its slot says; a tag in a video is a tag', () => {
  expect(assetTypeOf({ url: 'x' })).toBeUndefined()
  expect(assetTypeOf({ url: 'x' }, 'image')).toBe('image')
  expect(assetTypeOf({ asset_type: 'video', url: 'x.mp4' })).toBe('video')
  expect(assetTypeOf({ asset_type: 'video', content: '<VAST/>' })).toBe('vast')
  expect(assetTypeOf({ asset_type: 'audio', url: 'x', delivery_type: 'url' })).toBe('daast')
  expect(assetTypeOf({ content: '<VAST/>' }, 'vast')).toBe('vast')
})

test('a filter may be one word or several', () => {
  expect(oneOrMany('a', ['b', 'a'], undefined)).toEqual(['a', 'b'])
  expect(oneOrMany()).toEqual([])
})
