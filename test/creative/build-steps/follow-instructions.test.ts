import { expect, test } from 'vitest'
import { composeCreatives } from '../../../src/creative/build-steps/compose-creative.ts'
import { type Draft, isVideoWork } from '../../../src/creative/build-steps/draft.ts'
import type { Known } from '../../../src/creative/build-steps/job.ts'
import type { InstructionOutcome } from '../../../src/creative/directions/instruction.ts'
import { catalogue } from '../../support/creative.ts'
import { branded } from '../directions/look.ts'
import { formatId } from './build-harness.ts'

const BRAND = {
  name: 'Northwind',
  url: 'https://northwind.example',
  colors: { primary: '#0b5d4e' },
}
const OFFERING = {
  name: 'Trail boots',
  description: 'Light boots for long days. Made to last!',
  price: '€ 89',
}

interface Wanted {
  format?: string
  hasLogo?: boolean
  assets?: object
}

async function drafted(
  request: object,
  { format = 'display_300x250_html', hasLogo = false, assets }: Wanted = {},
): Promise<Draft> {
  const found = catalogue().find(formatId(format), ['*'])
  if (!found.ok) throw new Error(`no format ${format}`)
  const { brand } = await branded({})
  const json = JSON.stringify({
    target_format_id: formatId(format),
    promoted_offerings: { brand_manifest: BRAND, inline_offerings: [OFFERING] },
    creative_manifest: {
      assets: { publisher_name: { asset_type: 'text', content: 'Northwind' }, ...assets },
    },
    ...request,
  })
  const known: Known = {
    brand: { ...BRAND, ...(hasLogo && { logos: brand.logos ?? [] }) },
    words: undefined,
    notes: [],
    photo: undefined,
    fonts: [],
    logo: undefined,
    pictures: new Map(assets ? [['https://a.example/a.png', 'image/png' as const]] : []),
    drawings: new Map(),
  }
  const drafts: Draft[] = []
  const plan = {
    json,
    formats: [found.format],
    variants: 1,
    sourceFormat: undefined,
    isFromLibrary: false,
    containers: ['mp4' as const],
  }
  composeCreatives({ plan, known }, (draft) => drafts.push(draft))
  return drafts[0] as Draft
}

const outcomes = (draft: Draft) => draft.outcomes.map(({ outcome }) => outcome)

test('every instruction of the list has an outcome, in its order, with its place', async () => {
  const instructions = ['larger logo', 'white background', 'make it pop', 'three versions']
  const draft = await drafted({ instructions }, { hasLogo: true })
  expect(draft.outcomes).toMatchObject([
    { instruction: { text: 'larger logo', origin: { index: 0 } }, outcome: 'followed' },
    {
      instruction: { origin: { index: 1 } },
      outcome: 'followed',
      detail: 'The background is #ffffff.',
    },
    { instruction: { origin: { index: 2 } }, outcome: 'not_supported' },
    { outcome: 'not_supported', detail: expect.stringMatching(/max_variants/) },
  ])
})

test('instructions of the message have the span where they occur', async () => {
  const message = 'Warm feet all winter. Make the logo bigger.'
  const { outcomes: found } = await drafted({ message }, { hasLogo: true })
  const about = found.find(({ instruction }) => /logo/.test(instruction.text))
  expect(about?.outcome).toBe('followed')
  const { origin, text } = (about as InstructionOutcome).instruction
  const { start, end } = origin as { start: number; end: number }
  expect(message.slice(start, end)).toBe(text)
})

test('an instruction of which a part cannot be followed is not said to be followed', async () => {
  const draft = await drafted({ instructions: ['white background, round corners on everything'] })
  expect(outcomes(draft)).toEqual(['not_supported'])
  expect(draft.outcomes[0]?.detail).toMatch(/#ffffff.*round corners/)
})

test('without a logo nothing about it is possible', async () => {
  const draft = await drafted({ instructions: ['larger logo'] })
  expect(outcomes(draft)).toEqual(['not_possible'])
  expect(draft.outcomes[0]?.detail).toMatch(/logos/)
})

test('a native picture has no words of its own, and the texts beside it follow', async () => {
  const draft = await drafted(
    { instructions: ['larger headline', 'no exclamation marks', 'show the price'] },
    { format: 'native_standard' },
  )
  expect(outcomes(draft)).toEqual(['not_possible', 'followed', 'followed'])
  const texts = draft.assets.map(({ content }) => ('content' in content ? content.content : ''))
  expect(texts.join(' ')).toContain('€ 89')
  expect(texts.join(' ')).not.toContain('!')
})

test('of a picture that is only brought to a size no design is followed', async () => {
  const banner_image = {
    asset_type: 'image',
    url: 'https://a.example/a.png',
    width: 600,
    height: 500,
  }
  const draft = await drafted(
    { instructions: ['darker background', 'bigger text'] },
    { format: 'display_300x250_image', assets: { banner_image } },
  )
  expect(outcomes(draft)).toEqual(['not_possible', 'not_possible'])
  expect(draft.outcomes[0]?.detail).toMatch(/brought to its size/)
})

test('the words of the copy stay whatever the message avoids', async () => {
  const draft = await drafted({
    copy: { headline: 'Hurry up!' },
    instructions: ['no exclamation marks'],
  })
  const html = draft.assets
    .map(({ content }) => ('content' in content ? content.content : ''))
    .join('')
  expect(html).toContain('Hurry up!')
  expect(outcomes(draft)).toEqual(['not_possible'])
})

test('a film follows instructions as well', async () => {
  const draft = await drafted({ instructions: ['black background'] }, { format: 'video_1280x720' })
  expect(outcomes(draft)).toEqual(['followed'])
  const [film] = draft.assets.map(({ content }) => content).filter(isVideoWork)
  expect(film?.film.grounds.every((svg) => svg.includes('#000000'))).toBe(true)
})

test('without instructions there are no outcomes, and the same creative as ever', async () => {
  const plain = await drafted({})
  expect(plain.outcomes).toEqual([])
  expect(await drafted({ instructions: [] })).toEqual(plain)
})

test('requests in other languages are followed', async () => {
  const instructions = [
    'Hintergrund weiß',
    'sans bouton',
    'titular más grande',
    '不要感叹号',
    'ロゴを大きく',
  ]
  const draft = await drafted({ instructions }, { hasLogo: true })
  expect(outcomes(draft)).toEqual(Array(5).fill('followed'))
})
