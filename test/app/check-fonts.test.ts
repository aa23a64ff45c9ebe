import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FONT_PACKAGES } from '../../src/creative/layout-engine/shaping/font-packages.ts'
import { run } from '../package/install.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Says in JSON what a server without the packages warns of, and what it makes of three texts. */
const SCRIPT = `
import { checkFonts } from './dist/app/check-fonts.js'
import { composeAd } from './dist/creative/layout-engine/compose.js'
import { noteDrawn } from './dist/creative/build-steps/note-drawn.js'
const warned = []
checkFonts('', {}, { warn: ({ package: name }, message) => warned.push({ name, message }) })
const draw = (name) => {
  const notes = []
  const ad = composeAd({ brand: { name: 'Acme' }, offering: { name }, width: 300, height: 250 })
  try {
    noteDrawn(ad, (note) => notes.push(note))
  } catch (error) {
    return { refused: error.message }
  }
  return { notes, returned: ad.parts.find(({ role }) => role === 'headline').texts[0].set.text }
}
const texts = ['Wanderschuhe für Łódź und Αθήνα', 'Sale 🎉 today', '長い一日を歩く']
console.log(JSON.stringify({ warned, drawn: texts.map(draw) }))
`

interface Said {
  warned: { name: string; message: string }[]
  drawn: { refused?: string; notes?: string[]; returned?: string }[]
}

/** As npm leaves it with --omit=optional: everything but the fonts. */
function withoutFonts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-bare-'))
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@fontsource-variable')
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  for (const part of ['app', 'creative', 'lib', 'protocol', 'signing'])
    cpSync(join(ROOT, 'dist', part), join(folder, 'dist', part), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'say.mjs'), SCRIPT)
  return folder
}

describe('spec 4.2: without the optional fonts', () => {
  let folder: string
  let said: Said
  beforeAll(async () => {
    folder = withoutFonts()
    const { code, stdout, stderr } = await run(process.execPath, ['say.mjs'], { cwd: folder })
    if (code !== 0) throw new Error(stderr)
    said = JSON.parse(stdout) as Said
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('the start names each package that is missing and its scripts', () => {
    const usual = FONT_PACKAGES.filter(({ isUsual }) => isUsual)
    expect(said.warned).toEqual(
      usual.map(({ name, scripts }) => ({
        name,
        message: `${scripts} cannot be drawn: the package ${name} is not installed`,
      })),
    )
  })

  test('European words are drawn, an emoji is left out with a note, and other scripts are refused with the remedy', () => {
    const remedy = (name: string) => `install @fontsource-variable/${name} (`
    const [european, emoji, japanese] = said.drawn
    expect(european).toEqual({ notes: [], returned: 'Wanderschuhe für Łódź und Αθήνα' })
    expect(emoji?.returned).toBe('Sale today')
    expect(emoji?.notes?.[0]).toContain(remedy('noto-emoji'))
    expect(japanese?.refused).toContain(remedy('noto-sans-jp'))
  })
})
