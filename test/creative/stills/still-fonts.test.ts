import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  FONT_PACKAGES,
  openPackage,
} from '../../../src/creative/layout-engine/shaping/font-packages.ts'
import { renderManifest } from '../../../src/creative/rendering/render-manifest.ts'
import { withStillFonts } from '../../../src/creative/stills/still-fonts.ts'
import { html5, manifestOf, ownFormat } from '../rendering/creatives.ts'

const pageOf = (content: string) => {
  const manifest = manifestOf('own', { headline: { asset_type: 'text', content } })
  const [page] = renderManifest(manifest, ownFormat())
  if (!page) throw new Error('nothing was drawn')
  return page
}

test('a still picture brings fonts for letters that the machine may not have, and its policy lets them in', async () => {
  const plain = pageOf('新茶の季節')
  const { html, csp } = await withStillFonts(plain)
  const faces = html.match(/@font-face\{[^}]+\}/g) ?? []
  expect(faces.length).toBeGreaterThan(0)
  for (const letter of '新茶の季節') {
    const code = `U+${letter.codePointAt(0)?.toString(16)}`
    expect(faces.filter((face) => face.includes(code))).toHaveLength(1)
  }
  expect(html).toContain('body{font-family:"Still Letters",system-ui')
  expect(csp).toMatch(/style-src 'sha256-[^']+' 'sha256-[^']+'; font-src data:/)
  expect(html).toMatch(/style-src &#39;sha256-[^&]+&#39; &#39;sha256-[^&]+&#39;; font-src data:/)
})

test.each([
  ['따뜻한', 'kr'],
  ['गरम चाय हर सुबह', 'devanagari'],
  ['กาแฟสดทุกเช้า', 'thai'],
  ['قهوة طازجة', 'arabic'],
  ['קפה טרי', 'hebrew'],
  ['少儿英语班', 'sc'],
  ['新茶の季節', 'jp'],
])('all letters of %s come from the package for them', async (words, script) => {
  const { html } = await withStillFonts(pageOf(words))
  const own = FONT_PACKAGES.find(({ name }) => name.endsWith(`-${script}`))
  const fonts = own && openPackage(own)
  const letters = [...words.replaceAll(' ', '')]
  const files = new Set(letters.map((one) => fonts?.fileFor(one.codePointAt(0) as number) ?? ''))
  expect(html.match(/@font-face/g)).toHaveLength(files.size)
  for (const file of files) expect(html).toContain(readFileSync(file, 'base64'))
})

test('a page of letters that every machine has stays as it is, and so does one with a frame', async () => {
  const plain = pageOf('Frühling, Phở nóng, Лето – 20 €')
  expect(await withStillFonts(plain)).toBe(plain)
  const [framed] = renderManifest(html5('<p>新茶</p>'), ownFormat())
  if (!framed) throw new Error('nothing was drawn')
  expect(framed.hasFrame).toBe(true)
  expect(await withStillFonts(framed)).toBe(framed)
})
