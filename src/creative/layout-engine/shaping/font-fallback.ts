// Which font draws a letter: first the brand's, then the operator's own, then the one for the language, then any font
// that has it. Files are opened when one of their letters is first needed.

import { FONT_FILES, WEIGHTS } from '../faces.ts'
import { brandTypeface } from './brand-fonts.ts'
import { openFontInstance } from './font-instance.ts'
import {
  FONT_PACKAGES,
  type FontPackage,
  type InstalledPackage,
  openPackage,
} from './font-packages.ts'
import { openFontFile } from './open-font-file.ts'
import { ownTypefaces } from './own-fonts.ts'
import { type Typeface, typefaceOf } from './typeface.ts'

/** A typeface that has all of what a reader takes for one letter; undefined when there is none. */
export function typefaceFor(
  letter: string,
  language: string,
  before: Typeface | undefined,
): Typeface | undefined {
  // Spaces and punctuation use the font of the word before them: they would look alien otherwise.
  if (before && NEUTRAL.test(letter) && hasAll(before, letter)) return before
  const brand = brandTypeface()
  if (brand && hasAll(brand, letter)) return brand
  const own = ownTypefaces().find((typeface) => hasAll(typeface, letter))
  if (own) return own
  const first = letter.codePointAt(0) as number
  for (const one of fallbackFor(language)) {
    const typeface = sliceFor(one, first)
    if (typeface && hasAll(typeface, letter)) return typeface
  }
  return hasAll(ADWIRE_SANS, letter) ? ADWIRE_SANS : undefined
}

const NEUTRAL = /^[\p{Zs}\p{P}]+$/u
/** Invisible letters that control how others are displayed. */
const SILENT = /^\p{DI}$/u

function hasAll(typeface: Typeface, letter: string): boolean {
  return every(letter, typeface) || every(letter.normalize('NFD'), typeface)
}

function every(letter: string, typeface: Typeface): boolean {
  for (const character of letter)
    if (!SILENT.test(character) && !typeface.has(character.codePointAt(0) as number)) return false
  return true
}

const shelves = new Map<string, InstalledPackage[]>()
const packages = new Map<string, InstalledPackage | undefined>()
const slices = new Map<string, Typeface | undefined>()

function fallbackFor(language: string): InstalledPackage[] {
  let fallback = shelves.get(language)
  if (fallback === undefined) {
    const first = FIRST.get(language)
    const isFirst = ({ name }: FontPackage) => name === `@fontsource-variable/${first}`
    const order = [
      ...FONT_PACKAGES.filter(isFirst),
      ...FONT_PACKAGES.filter((one) => !isFirst(one)),
    ]
    fallback = order.map(installed).filter((one) => one !== undefined)
    shelves.set(language, fallback)
  }
  return fallback
}

/** Other languages share their letters in other shapes; Latin in the same design looks good beside them. */
const FIRST: ReadonlyMap<string, string> = new Map([
  ['ja', 'noto-sans-jp'],
  ['zh', 'noto-sans-sc'],
  ['ko', 'noto-sans-kr'],
  ['ar', 'noto-sans-arabic'],
  ['fa', 'noto-sans-arabic'],
  ['ur', 'noto-sans-arabic'],
  ['he', 'noto-sans-hebrew'],
  ['hi', 'noto-sans-devanagari'],
  ['th', 'noto-sans-thai'],
])

function installed(one: FontPackage): InstalledPackage | undefined {
  if (!packages.has(one.name)) packages.set(one.name, openPackage(one))
  return packages.get(one.name)
}

function sliceFor(one: InstalledPackage, codePoint: number): Typeface | undefined {
  const file = one.fileFor(codePoint)
  if (file === undefined) return undefined
  if (!slices.has(file)) slices.set(file, openSlice(file))
  return slices.get(file)
}

/** Undefined for a file that is in the package's list but missing. */
function openSlice(file: string): Typeface | undefined {
  try {
    const bytes = openFontFile(file)
    return typefaceOf((face) => openFontInstance(`${file} ${face}`, bytes, WEIGHTS[face]))
  } catch {
    return undefined
  }
}

/** For the files beside the layout engine. */
const ADWIRE_SANS = typefaceOf((face) => {
  const file = FONT_FILES[Object.keys(WEIGHTS).indexOf(face)] as string
  return openFontInstance(file, openFontFile(file), WEIGHTS[face])
})
