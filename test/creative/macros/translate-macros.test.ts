import { expect, test } from 'vitest'
import { AD_SERVERS } from '../../../src/creative/macros/ad-server-macros.ts'
import { macroRequestOf, withMacroNames } from '../../../src/creative/macros/macro-request.ts'
import {
  emptyReport,
  translateAddress,
  translateText,
} from '../../../src/creative/macros/translate-macros.ts'
import { isUniversalMacro } from '../../../src/creative/macros/universal-macros.ts'
import type { SentCreativeManifest } from '../../../src/protocol/schemas/creative-manifest.ts'

const gam = { to: AD_SERVERS.get('google_ad_manager') }

test('spec 2.5: tables name universal macros alone', () => {
  for (const table of AD_SERVERS.values()) {
    for (const name of table.keys()) expect(isUniversalMacro(name)).toBe(true)
  }
})

test('spec 2.5: parameters get the ad server’s tokens raw, and those without an equal are dropped and reported', () => {
  const report = emptyReport()
  const url =
    'https://t.example/{CREATIVE_ID}/{SKU}?cb={CACHEBUSTER}&r={CLICK_URL}&sku={SKU}&c={GDPR_CONSENT}&x=1&own={OWN}#{DMA}'
  expect(translateAddress(url, gam, { report, at: 'tracker.url' })).toBe(
    'https://t.example/%ecid!/{SKU}?cb=%%CACHEBUSTER%%&r=%%CLICK_URL_ESC%%&x=1&own={OWN}#{DMA}',
  )
  const at = 'tracker.url'
  expect(report).toEqual({
    translated: [
      { macro: 'CREATIVE_ID', at, to: '%ecid!' },
      { macro: 'CACHEBUSTER', at, to: '%%CACHEBUSTER%%' },
      { macro: 'CLICK_URL', at, to: '%%CLICK_URL_ESC%%' },
    ],
    dropped: [{ macro: 'SKU', at }],
    dropped_consent: [{ macro: 'GDPR_CONSENT', at }],
    left: expect.arrayContaining([
      { macro: 'SKU', at },
      { macro: 'OWN', at },
      { macro: 'DMA', at },
    ]),
  })
})

test('spec 2.5: the tokens of one ad server become those of another by way of the universal names', () => {
  const preference = { from: AD_SERVERS.get('google_ad_manager'), to: AD_SERVERS.get('vast') }
  const report = emptyReport()
  expect(
    translateText('<a>%%CACHEBUSTER%% %%SITE%% [ERRORCODE]</a>', preference, { report, at: 'tag' }),
  ).toBe('<a>[CACHEBUSTING] [DOMAIN] [ERRORCODE]</a>')
  expect(
    translateText('%ecid!', { from: preference.from }, { report: emptyReport(), at: 'tag' }),
  ).toBe('{CREATIVE_ID}')
})

test('spec 2.5: a caller may give a table of its own, with nothing in it that ends an address', () => {
  const preference = macroRequestOf({ ext: { macro_names: { to: { CACHEBUSTER: '[cb]' } } } })
  const asset = { asset_type: 'url', url: 'https://t.example/?a={CACHEBUSTER}' }
  const manifest = { format_id: {}, assets: { tracker: asset } } as unknown as SentCreativeManifest
  const { manifests, report } = withMacroNames([manifest, manifest], preference)
  expect(manifests[1]?.assets).toEqual({ tracker: { ...asset, url: 'https://t.example/?a=[cb]' } })
  expect(report?.translated).toEqual([{ macro: 'CACHEBUSTER', at: 'tracker.url', to: '[cb]' }])
  for (const to of ['nobody', {}, { CACHEBUSTER: '"><script>' }, { NO_MACRO: 'x' }]) {
    expect(() => macroRequestOf({ ext: { macro_names: { to } } })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ code: 'INVALID_REQUEST' })] }),
    )
  }
  expect(macroRequestOf({ ext: {} })).toBeUndefined()
})

test('what was put in for a name is not read as another one, however short the names are', () => {
  const letters = 'ABCDEIRTU_'.split('')
  const macros = ['CACHEBUSTER', 'CREATIVE_ID', 'MEDIA_BUY_ID', 'PACKAGE_ID', 'DEVICE_ID']
  const more = ['DEVICE_TYPE', 'CLICK_URL', 'ITEM_PRICE_CURRENCY', 'LISTING_ID', 'VEHICLE_ID']
  const names = [...macros, ...more].map((macro, index) => [macro, letters[index]])
  const preference = macroRequestOf({ ext: { macro_names: { from: Object.fromEntries(names) } } })
  const report = emptyReport()
  expect(translateText('A b C', preference!, { report, at: 'tag' })).toBe(
    '{CACHEBUSTER} b {MEDIA_BUY_ID}',
  )
  expect(report.translated).toHaveLength(2)
})

test('the longest name counts where several begin', () => {
  const from = new Map([
    ['DMA', { plain: '%a' }],
    ['SKU', { plain: '%ab' }],
  ])
  expect(translateText('%a %ab %abc', { from }, { report: emptyReport(), at: 'tag' })).toBe(
    '{DMA} {SKU} {SKU}c',
  )
})

test('names that would make a creative much larger are refused, and a place is reported once', () => {
  const to = new Map([['SKU', { plain: 'x'.repeat(200) }]])
  const report = emptyReport()
  expect(() => translateText('{SKU}'.repeat(100_000), { to }, { report, at: 'tag' })).toThrow(
    'would add more than',
  )
  expect(report.translated).toHaveLength(1)
})
