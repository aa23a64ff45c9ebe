import { describe, expect, test } from 'vitest'
import { writeBanner } from '../../../src/creative/build-steps/write-banner.ts'
import type { AdInput } from '../../../src/creative/layout-engine/ad-input.ts'
import { composeAd } from '../../../src/creative/layout-engine/compose.ts'
import { composeHtml } from '../../../src/creative/layout-engine/compose-html.ts'
import {
  type BannerScript,
  motionsFor,
  readingMs,
  scriptOf,
} from '../../../src/creative/motion/banner-motion.ts'
import { adInput, SIZES } from '../layout-engine/composing.ts'

const adOf = (changes: Partial<AdInput> = {}) => composeAd(adInput(changes))

function banner(changes: Partial<AdInput> = {}) {
  const ad = adOf(changes)
  const script = scriptOf(ad, 'scenes') as BannerScript
  return { ad, script, html: composeHtml(ad, { script }) }
}

/** What stands between the braces of the media query, and what stands outside of it. */
function rules(html: string) {
  const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? ''
  const [before = '', rest = ''] = style.split('@media (prefers-reduced-motion:no-preference){\n')
  const [inside = '', after = ''] = rest.split('\n}\n')
  return { inside, outside: before + after.replaceAll(/@keyframes.*/g, '') }
}

describe('spec 2.4: an animated banner', () => {
  test.each(SIZES)(
    'of %dx%d displays its headline first and ends in time on all its words',
    (width, height) => {
      const { ad, script, html } = banner({ width, height })
      expect(
        script.reported[0]?.scene.parts.find(({ role }) => role === 'headline')?.texts[0]?.set.text,
      ).toBe(ad.texts.headline)
      expect(script.endAtMs).toBeLessThanOrEqual(15_000)
      expect(html.length).toBeLessThan(150_000)
      const whole = composeHtml(ad, { script: { reported: [], openAtMs: 0, endAtMs: 0 } })
      const drawn = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(whole)?.[1] as string
      // The advertisement as it is without motion is there first, and only covered.
      expect(html).toContain(`${drawn}<g class="told t0" opacity="0"`)
    },
  )

  test('hides nothing and moves nothing for readers that want no motion, or have no animations', () => {
    const { inside, outside } = rules(banner().html)
    expect(outside).not.toMatch(/animation|opacity|transform|visibility|display:none/)
    // What hides a part is an animation that runs: never a property of its own.
    const properties = inside.replaceAll(/animation:[^;}]*/g, '')
    expect(properties).not.toMatch(/opacity|visibility|display/)
    expect(inside).not.toContain('infinite')
  })

  test('begins the entrance of its own words when the last scene goes', () => {
    const { script, html } = banner()
    const last = script.reported.at(-1)
    expect(script.openAtMs).toBe((last?.startMs ?? 0) + (last?.durationMs ?? 0))
    expect(html).toContain(
      `svg>.headline{animation:enter 0.6s cubic-bezier(.2,.7,.2,1) ${script.openAtMs / 1_000}s backwards}`,
    )
  })

  test('has a picture that is in all scenes once', () => {
    const logo = {
      dataUri: `data:image/png;base64,${'iVBORw0KGgo'.repeat(300)}`,
      width: 90,
      height: 30,
    }
    const { html } = banner({ brand: { name: 'Acme', logos: [logo] } })
    expect(html.split(logo.dataUri)).toHaveLength(2)
    expect(html.match(/<use href="#p0"\/>/g)).toHaveLength(2)
  })

  test('has no two gradients of one name', () => {
    for (const layout of ['aurora', 'mosaic', 'slant', 'rings', 'card'] as const) {
      const names = [...banner({ layout }).html.matchAll(/\bid="([^"]*)"/g)].map(([, name]) => name)
      expect(new Set(names).size).toBe(names.length)
    }
  })

  test('in a language that is read from right to left has the words of every scene as text', () => {
    const { html } = banner({
      offering: { name: 'حقائب', description: 'خفيفة ومتينة لكل رحلة.' },
    })
    expect(html.match(/>حقائب<\/text>/g)).toHaveLength(2)
  })
})

describe('spec 4.2: how much a banner moves', () => {
  test('is an entrance by default, scenes when requested, and nothing when that is requested', () => {
    expect(motionsFor(undefined, {})[0]).toBe('entrance')
    expect(motionsFor('animated', {})[0]).toBe('scenes')
    expect(motionsFor('still', {})).toEqual(['still'])
    expect(motionsFor('animated', { animation_allowed: false })).toEqual(['still'])
  })

  test.each([
    [
      'animated',
      {},
      'animated once, in 3 scenes of 9.6 s together, and ends on the whole advertisement',
    ],
    [undefined, { animation_allowed: false }, 'without motion: the format allows none'],
    ['still', {}, 'without motion'],
    ['animated', { animation_allowed: false }, 'without motion: the format allows none'],
    [
      'animated',
      { max_animation_duration_ms: 5_000 },
      'its words enter one after the other, within 1.0 s: scenes find no room or time in it',
    ],
    [
      'animated',
      { max_animation_duration_ms: 500 },
      'without motion: scenes find no room or time in it',
    ],
    [
      'animated',
      { max_file_size_kb: 45 },
      'its words enter one after the other, within 1.0 s: scenes find no room in it',
    ],
    ['animated', { max_file_size_kb: 1 }, 'without motion: scenes find no room in it'],
  ] as const)('requested %j in a slot with %j: %s', (preference, requirements, note) => {
    const notes: string[] = []
    const slot = { name: 'html_creative', requirements }
    writeBanner(adOf(), { slot, clickUrl: undefined, preference, note: (text) => notes.push(text) })
    expect(notes).toEqual([`html_creative: ${note}`])
  })

  test('nothing is reported about a banner with the default motion', () => {
    const notes: string[] = []
    const slot = { name: 'html_creative', requirements: {} }
    const preference = undefined
    const { markup } = writeBanner(adOf(), {
      slot,
      clickUrl: preference,
      preference,
      note: (text) => notes.push(text),
    })
    expect(markup).toContain('@keyframes')
    expect(notes).toEqual([])
  })

  test('gives a long text more time than a short one, within bounds', () => {
    expect(readingMs('Hi')).toBe(2_200)
    expect(readingMs('a'.repeat(50))).toBeGreaterThan(readingMs('a'.repeat(30)))
    expect(readingMs('a'.repeat(500))).toBe(4_500)
  })
})
