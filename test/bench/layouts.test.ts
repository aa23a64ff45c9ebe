import { renderAsync } from '@resvg/resvg-js'
import { expect, test } from 'vitest'
import { checkAd, type Verdict } from '../../bench/layouts/check.mjs'
import { SCRIPT_SAMPLES } from '../../scripts/script-samples.mjs'
import { LAYOUTS } from '../../src/creative/layout-engine/ad-input.ts'
import { contrast } from '../../src/creative/layout-engine/colours.ts'
import { type ComposedAd, composeAd } from '../../src/creative/layout-engine/compose.ts'
import { toSvg } from '../../src/creative/layout-engine/to-svg.ts'
import { adInput, SIZES } from '../creative/layout-engine/composing.ts'

/** Of the advertisements that `npm run bench -- layouts` checks, at least this share has no fault. */
const LEAST_SOUND = 0.9

test('of every script, most advertisements have no fault and none has one that hides a word', async () => {
  const sizes = SIZES.filter(([width, height]) => width * height < 200_000)
  const checked: Verdict[] = []
  for (const [index, { brand, offering, message }] of SCRIPT_SAMPLES.entries()) {
    for (const turn of [0, 1, 2]) {
      const [width, height] = sizes[(index + turn * 3) % sizes.length] as (typeof sizes)[number]
      const layout = LAYOUTS[(index + turn) % LAYOUTS.length] as (typeof LAYOUTS)[number]
      checked.push(await check(composeAd({ brand, offering, message, width, height, layout })))
    }
  }
  for (const { overlaps, clipped, unaligned, contrast: worst } of checked) {
    expect({ overlaps, clipped, unaligned }).toEqual({ overlaps: 0, clipped: 0, unaligned: 0 })
    expect(worst).toBeGreaterThan(4.4)
  }
  const sound = checked.filter(({ faults }) => faults.length === 0)
  expect(sound.length / checked.length).toBeGreaterThanOrEqual(LEAST_SOUND)
})

test('the check finds what is wrong', async () => {
  const ad = composeAd(adInput({ layout: 'aurora' }))
  expect((await check(ad)).faults).toEqual([])
  const spoiled = ad.parts.map((part) => ({
    ...part,
    box: { ...part.box, y: 20, height: 200 },
    texts: part.texts.map((text) => ({
      ...text,
      fill: '#0b5d4e',
      set: { ...text.set, size: 4 },
      box: { ...text.box, x: part.role === 'headline' ? -9 : text.box.x },
    })),
  }))
  const { faults } = await check({ ...ad, parts: spoiled, shortened: ['headline'] })
  expect(faults).toEqual([
    expect.stringMatching(/^contrast 1/),
    'type of 4.0 px',
    expect.stringMatching(/overlaps$/),
    '1 texts beyond the canvas',
    '1 texts shortened',
  ])
})

function check(ad: ComposedAd): Promise<Verdict> {
  return checkAd(ad, { toSvg, contrast, drawGround })
}

async function drawGround(svg: string, width: number): Promise<Uint8Array> {
  const { pixels } = await renderAsync(svg, { fitTo: { mode: 'width', value: width } })
  return Uint8Array.from({ length: (pixels.length / 4) * 3 }, (_, at) => {
    return pixels[Math.floor(at / 3) * 4 + (at % 3)] as number
  })
}
