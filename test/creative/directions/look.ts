// An independent check of what was drawn: pixels, and the words of the SVG. Nothing here knows what was
// requested.

import { renderAsync } from '@resvg/resvg-js'
import sharp from 'sharp'
import { checkAd } from '../../../bench/layouts/check.mjs'
import type { AdInput, Logo } from '../../../src/creative/layout-engine/ad-input.ts'
import { contrast } from '../../../src/creative/layout-engine/colours.ts'
import type { ComposedAd } from '../../../src/creative/layout-engine/compose.ts'
import { toSvg } from '../../../src/creative/layout-engine/to-svg.ts'
import { adInput } from '../layout-engine/composing.ts'

const MAGENTA = '#d6009a'

/** Of a colour that nothing else has. */
async function logo(): Promise<Logo> {
  const picture = { width: 240, height: 80, channels: 4 as const, background: MAGENTA }
  const png = await sharp({ create: picture }).png().toBuffer()
  const dataUri = `data:image/png;base64,${png.toString('base64')}`
  return { dataUri, width: 240, height: 80, tones: [0.16, 0.16] }
}

export async function branded(changes: Partial<AdInput>): Promise<AdInput> {
  const { brand, ...others } = adInput(changes)
  return { ...others, brand: { ...brand, logos: [await logo()] } }
}

export interface Look {
  /** Of all pixels, how many are about this colour, 0 to 1. */
  share(hex: string): number
  /** Where the logo is, as shares of the canvas; undefined where there is none. */
  logo: { x: number; y: number; area: number } | undefined
  isGrey: boolean
  /** Of 0 to 255, how light all of it is. */
  lightness: number
  /** What is written in each group of the SVG, and in which size and colour. */
  text(role: string): string
  size(role: string): number
  fill(role: string): string | undefined
  /** The middle of the lines, as shares of the canvas. */
  at(role: string): { x: number; y: number } | undefined
  has(role: string): boolean
}

const WIDTH = 320

export async function lookAt(ad: ComposedAd): Promise<Look> {
  const { pixels, width, height } = await renderAsync(ad.svg, {
    fitTo: { mode: 'width', value: WIDTH },
  })
  const count = width * height
  const near = (at: number, hex: string, most = 14) =>
    [1, 3, 5].every((from, channel) => {
      const wanted = Number.parseInt(hex.slice(from, from + 2), 16)
      return Math.abs((pixels[at * 4 + channel] as number) - wanted) <= most
    })
  const places = Array.from({ length: count }, (_, at) => at)
  const inked = places.filter((at) => near(at, MAGENTA))
  const mean = (values: readonly number[]) =>
    values.reduce((sum, one) => sum + one, 0) / values.length
  const groupOf = (role: string) =>
    new RegExp(`<g class="${role}">(.*?)(?=<g class="|</svg>)`, 's').exec(ad.svg)?.[1] ?? ''
  const lines = (role: string) => [...groupOf(role).matchAll(/<text([^>]*)>([^<]*)<\/text>/g)]
  const attribute = (role: string, name: string) =>
    new RegExp(` ${name}="([^"]*)"`).exec(lines(role)[0]?.[1] ?? '')?.[1]
  return {
    share: (hex) => places.filter((at) => near(at, hex)).length / count,
    logo:
      inked.length < 12
        ? undefined
        : {
            x: mean(inked.map((at) => (at % width) / width)),
            y: mean(inked.map((at) => Math.floor(at / width) / height)),
            area: inked.length / count,
          },
    isGrey: places.every((at) => {
      const [red, green, blue] = [0, 1, 2].map((channel) => pixels[at * 4 + channel] as number)
      return Math.abs(red! - green!) <= 3 && Math.abs(green! - blue!) <= 3
    }),
    lightness: mean(places.map((at) => pixels[at * 4 + 1] as number)),
    text: (role) =>
      lines(role)
        .map(([, , text]) => text)
        .join(' ')
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
    size: (role) => Number(attribute(role, 'font-size') ?? 0),
    fill: (role) => attribute(role, 'fill'),
    at: (role) => {
      const box = ad.parts.find((part) => part.role === role)?.box
      return (
        box && { x: (box.x + box.width / 2) / ad.width, y: (box.y + box.height / 2) / ad.height }
      )
    },
    has: (role) => ad.svg.includes(`<g class="${role}">`),
  }
}

export function check(ad: ComposedAd) {
  return checkAd(ad, {
    toSvg,
    contrast,
    drawGround: async (svg: string, width: number) => {
      const { pixels } = await renderAsync(svg, { fitTo: { mode: 'width', value: width } })
      return Uint8Array.from({ length: (pixels.length / 4) * 3 }, (_, at) => {
        return pixels[Math.floor(at / 3) * 4 + (at % 3)] as number
      })
    },
  })
}
