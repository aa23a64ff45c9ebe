import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../../src/creative/build-steps/draft.ts'
import { slotsOf } from '../../../src/creative/build-steps/slots.ts'
import { checkReading } from '../../../src/creative/message/given-reading.ts'
import { unreportedFacts } from '../../../src/creative/message/guard-drawn.ts'
import { spansOf } from '../../../src/creative/message/reading/spans.ts'
import { ProtocolError } from '../../../src/protocol/errors.ts'
import type { BuildCreativeRequest } from '../../../src/protocol/schemas/build-creative.ts'
import { runs } from '../../support/runs.ts'
import { type DraftPreference, draftOf, FORMATS, formatNamed } from './compose-harness.ts'
import { contradictionsIn, figuresLostOf, inventedIn } from './contradictions.ts'

const FACTS = [
  '49,90 €',
  '$19.95',
  '20 %',
  '31 May',
  '9:00 to 21:30',
  'code SAVE20',
  '+44 117 496 0382',
  'https://acme.example/sale',
  'ana@acme.example',
  '@acme_shop',
  '14 Harbour Street',
  '½ price',
  'خصم ٥٠٪',
  '₹५०० से',
  '５００円から',
  '全场八折',
  'цена 1 500 ₽',
  'קוד WINTER5',
  '19,800원',
]
const COPY = [
  'Warm feet, cold days',
  'Fresh bread every morning',
  'Now in stores',
  'Free shipping',
  'Jetzt anmelden und sparen',
  'Visites guidées des caves',
  'Vuelve el mar',
  '春の引っ越しキャンペーン',
  '少儿英语班，小班外教授课',
  '첫 방문 할인',
  'Новая коллекция',
  'عروض الصيف',
  'शादी की खरीदारी',
]
const INSTRUCTIONS = [
  'Make a banner for our sale',
  'Put the logo top left',
  'Headline: "Big days"',
  'CTA: Buy now',
  'use a friendly tone',
  'no prices please',
  'do not write “cheap”',
  'An animated banner',
  'Link to https://acme.example/sale',
  'Bitte in Blau',
  'やさしい雰囲気で',
  'Fiyat yazmayın',
  'Hi team',
  'Our audience is parents',
  'Thanks!',
]
const message = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(...FACTS),
        fc.constantFrom(...COPY),
        fc.constantFrom(...INSTRUCTIONS),
      ),
      fc.constantFrom('. ', ', ', '\n', ' – ', '! '),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.flat().join(''))

const OFFERINGS = ['Oak desk', 'Pine chair', 'Ash shelf'].map((name, index) => ({
  name,
  description: `Solid ${name.toLowerCase()}, made to last.`,
  price: `€ ${99 + index}`,
  landing_url: `https://acme.example/${index}`,
}))
const TEXTS = {
  headline: { asset_type: 'text', content: 'Old headline of ours' },
  body: { asset_type: 'text', content: 'Old text that is there already' },
  click_url: { asset_type: 'url', url: 'https://acme.example/old', url_type: 'clickthrough' },
}
const PICTURE = {
  banner_image: {
    asset_type: 'image',
    url: 'https://acme.example/banner.png',
    width: 728,
    height: 90,
  },
  click_url: { asset_type: 'url', url: 'https://acme.example/old', url_type: 'clickthrough' },
}
const FIGURES = {
  headline: { asset_type: 'text', content: 'Resoled from 59 €' },
  body: {
    asset_type: 'text',
    content: `Within 48 hours, ${'by people who know their trade, '.repeat(9)}code SOLE10, until 31 May, at 14 Harbour Street. Call +44 117 496 0382.`,
  },
  html_creative: { asset_type: 'html', content: '<p>Was 79 €, 25 % less</p>' },
  sponsored_by: { asset_type: 'text', content: 'Acme 1921 Ltd' },
  author: { asset_type: 'text', content: 'By @ada_smith' },
}
const LONG_OFFERING = {
  name: 'Elm table 200 x 90',
  description: `Seats 8. ${'Made of one tree and oiled by hand. '.repeat(6)}Delivered for 25 € within 14 days.`,
  price: { amount: 899, currency: 'EUR' },
}
const cardOf = ({ name, description, price, landing_url }: (typeof OFFERINGS)[number]) => ({
  image: { url: 'https://acme.example/card.png', width: 600, height: 600 },
  headline: name,
  description,
  price,
  landing_url,
})
const COPIED = { headline: 'Given to the letter', body: 'Also given, 12 €', cta: 'Take it' }
const MODEL = {
  headline: 'Step outside',
  description: 'Softly and warmly',
  call_to_action: 'Go on',
}

/** The ways to a creative. */
const PATHS: Record<string, (said: string) => Omit<DraftPreference, 'format'>> = {
  message: (said) => ({ request: { message: said } }),
  offerings: (said) => ({
    request: { message: said, promoted_offerings: { inline_offerings: OFFERINGS } },
  }),
  transformation: (said) => ({
    request: { message: said, creative_manifest: { assets: TEXTS } } as BuildCreativeRequest,
    sourceFormat: formatNamed('native_content'),
  }),
  markup: (said) => ({
    request: {
      message: said,
      creative_manifest: {
        assets: { html_creative: { asset_type: 'html', content: '<b>Old</b>' } },
      },
    },
    sourceFormat: formatNamed('display_728x90_html'),
  }),
  'texts with figures': (said) => ({
    request: {
      message: said,
      creative_manifest: { assets: FIGURES },
      promoted_offerings: { inline_offerings: [...OFFERINGS, LONG_OFFERING] },
    } as BuildCreativeRequest,
    sourceFormat: formatNamed('native_content'),
  }),
  cards: (said) => ({
    request: {
      message: said,
      creative_manifest: { assets: { cards: OFFERINGS.map(cardOf) } },
    } as unknown as BuildCreativeRequest,
    sourceFormat: formatNamed('product_carousel_3_to_10'),
    known: { pictures: new Map([['https://acme.example/card.png', 'image/png' as const]]) },
  }),
  'an offering without a message': () => ({
    request: { promoted_offerings: { inline_offerings: [LONG_OFFERING] } },
  }),
  picture: (said) => ({
    request: { message: said, creative_manifest: { assets: PICTURE } } as BuildCreativeRequest,
    sourceFormat: formatNamed('display_728x90_image'),
    known: { pictures: new Map([[PICTURE.banner_image.url, 'image/png' as const]]) },
  }),
  structured: (said) => ({
    request: { message: said, copy: COPIED, instructions: ['bigger text'], avoid: ['cheap'] },
  }),
  'words of a model': (said) => ({ request: { message: said }, known: { words: MODEL } }),
  'a model that takes all for copy': (said) => readAs('headline', said),
  'a model that takes all for talk': (said) => readAs('chat', said),
}

/** A lie about the whole message. */
function readAs(role: string, said: string): Omit<DraftPreference, 'format'> {
  const checked = checkReading({ message: said, segments: [{ role, text: said }] })
  if (!checked.ok) throw new Error(checked.reason)
  return { request: { message: said }, known: { reading: checked.reading } }
}

/** Undefined where the request has not all that the format needs. */
function built(preference: DraftPreference): Draft | undefined {
  try {
    return draftOf(preference)
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

const sources = (said: string) => [
  said,
  'Acme https://acme.example acme.example',
  ...[OFFERINGS, LONG_OFFERING, TEXTS, FIGURES, COPIED, MODEL].map((one) => JSON.stringify(one)),
]

/** All texts given for display beside the message. */
function textsOf({ creative_manifest, promoted_offerings, copy }: BuildCreativeRequest): string[] {
  const assets = Object.values(creative_manifest?.assets ?? {})
    .flat()
    .flatMap((asset) => {
      const { content, headline, description, price } = asset as Record<string, unknown>
      return [content, headline, description, price]
    })
  const offered = (promoted_offerings?.inline_offerings ?? []).flatMap(
    ({ name, description, price }) => [
      name,
      description,
      typeof price === 'object' ? String((price as { amount: number }).amount) : price,
    ],
  )
  return [...assets, ...offered, ...Object.values(copy ?? {})].filter(
    (text): text is string => typeof text === 'string',
  )
}

/**
 * Figures that the built-in reader takes for copy and that are neither drawn nor named, regardless of which
 * reader read the message.
 */
function figuresLost(draft: Draft, said: string): string[] {
  const printed = draft.assets.flatMap(({ words }) => words.map(({ text }) => text))
  const { notes } = draft
  return unreportedFacts({ text: said, spans: spansOf(said), printed, notes }).map(
    ({ text }) => text,
  )
}

const drawable = FORMATS.filter((format) => slotsOf(format).some(({ type }) => type !== 'audio'))

describe('spec 4.2: whatever a message says, the response reports the truth about it', () => {
  test.each(drawable.map((format) => [format.format_id.id, format] as const))(
    'in %s',
    (_id, format) => {
      fc.assert(
        fc.property(message, fc.constantFrom(...Object.keys(PATHS)), (said, path) => {
          const preference = (PATHS[path] as (text: string) => Omit<DraftPreference, 'format'>)(
            said,
          )
          const draft = built({ ...preference, format })
          if (!draft) return
          const { message: reported = '' } = preference.request
          expect(contradictionsIn(draft, reported)).toEqual([])
          expect(inventedIn(draft, sources(reported))).toEqual([])
          expect(figuresLost(draft, reported)).toEqual([])
          expect(figuresLostOf(draft, textsOf(preference.request))).toEqual([])
          expect(draft.faults).toBeUndefined()
        }),
        { numRuns: runs({ usual: 2, all: 25 }) },
      )
    },
  )

  test('on every path', () => {
    for (const [path, make] of Object.entries(PATHS)) {
      const format = formatNamed(path === 'picture' ? 'display_300x250_image' : 'native_standard')
      const draft = built({ ...make('Warm feet for 49,90 €'), format })
      expect(draft?.assets.length, path).toBeGreaterThan(0)
    }
  })
})

describe('spec 4.2: the checks find', () => {
  const said = 'Warm feet, cold days. Boots from 49,90 €.'
  const draft = draftOf({ request: { message: said }, format: formatNamed('display_300x250_html') })

  test('nothing in what was built', () => {
    expect(contradictionsIn(draft, said)).toEqual([])
    expect(inventedIn(draft, [said, 'Acme'])).toEqual([])
  })

  test('a note that calls something omitted that is drawn', () => {
    const notes = [...draft.notes, 'omitted: “Warm feet, cold days”']
    expect(contradictionsIn({ ...draft, notes }, said)).toEqual([
      'a note calls “Warm feet, cold days” omitted',
    ])
  })

  test('a price that was dropped', () => {
    const assets = draft.assets.map((asset) => ({
      ...asset,
      words: asset.words.map((one) => ({ ...one, text: one.text.replace(' from 49,90 €', '') })),
    }))
    expect(contradictionsIn({ ...draft, assets }, said)).toContain('“49,90 €” is lost in silence')
  })

  test('a price that is another', () => {
    const assets = draft.assets.map((asset) => ({
      ...asset,
      words: asset.words.map((one) => ({ ...one, text: one.text.replace('49,90', '39,90') })),
    }))
    expect(inventedIn({ ...draft, assets }, [said, 'Acme'])).toHaveLength(1)
  })

  test('a part that is called drawn and is not', () => {
    const reading = [
      { start: 0, end: said.length, text: said, role: 'fact' as const, outcome: 'drawn' as const },
    ]
    const assets = draft.assets.map((asset) => ({ ...asset, words: [] }))
    expect(contradictionsIn({ ...draft, assets, reading }, said)).toContain(
      `“${said}” is called drawn`,
    )
  })

  test('a price of an offering that is dropped without a note', () => {
    const offering = { name: 'Oak desk', price: '€ 99' }
    const request = { promoted_offerings: { inline_offerings: [offering] } }
    const reported = draftOf({ request, format: formatNamed('display_300x250_html') })
    expect(figuresLostOf(reported, ['€ 99'])).toEqual([])
    expect(figuresLostOf({ ...reported, notes: [] }, ['€ 99'])).toEqual([
      '“€ 99” of the request is lost in silence',
    ])
  })

  test('a note that names something as drawn that is not, or as not named that is', () => {
    const lies = [
      'headline: “Warm feet, cold days” is the headline, and the second one, “Dry socks”, is printed as text',
      'offerings that are not named: “Warm feet, cold days”',
      'headline: “Warm feet, cold days” of creative_manifest was replaced by “Dry socks” of copy',
    ]
    expect(contradictionsIn({ ...draft, notes: lies }, said)).toEqual([
      'a note calls “Dry socks” drawn',
      'a note calls “Warm feet, cold days” omitted',
      'a note calls “Warm feet, cold days” omitted',
    ])
  })

  test('parts that do not cover the message', () => {
    expect(contradictionsIn({ ...draft, reading: [] }, said)).toContain('the parts end at 0')
  })
})

test('spec 4.2: words that were not provided are not printed, and the error is reported for the log', () => {
  const words = { headline: 'Only 5 € today', description: 'Now', call_to_action: 'Go' }
  const request = {
    message: 'Warm feet',
    promoted_offerings: { inline_offerings: [OFFERINGS[0] as { name: string }] },
  }
  const draft = draftOf({ request, format: formatNamed('display_300x250_image'), known: { words } })
  expect(draft.faults).toEqual([
    expect.stringContaining('had words that are in no source (banner_image: 5'),
  ])
  const texts = draft.assets.flatMap((asset) => asset.words.map(({ text }) => text))
  expect(texts).toContain('Oak desk')
  expect(texts.join(' ')).not.toContain('5 €')
  expect(contradictionsIn(draft, 'Warm feet')).toEqual([])
})
