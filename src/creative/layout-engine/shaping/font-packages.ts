// The font packages that may be installed beside this one: which letters each has, and in which files. Only the list
// of a package is opened here, so that a server can report missing ones at startup.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface FontPackage {
  /** On the npm registry. */
  name: string
  /** For people: what it is for. */
  scripts: string
  /** Whether it is installed with this package unless optional packages are omitted. */
  isUsual: boolean
}

/** In the order in which they are searched for a letter; a language may prefer another one. */
export const FONT_PACKAGES: readonly FontPackage[] = [
  { name: 'noto-sans', scripts: 'Vietnamese and rarer letters', isUsual: true },
  { name: 'noto-sans-arabic', scripts: 'Arabic', isUsual: true },
  { name: 'noto-sans-hebrew', scripts: 'Hebrew', isUsual: true },
  { name: 'noto-sans-devanagari', scripts: 'Devanagari', isUsual: true },
  { name: 'noto-sans-thai', scripts: 'Thai', isUsual: true },
  { name: 'noto-sans-jp', scripts: 'Japanese', isUsual: true },
  { name: 'noto-sans-sc', scripts: 'Chinese', isUsual: true },
  { name: 'noto-sans-tc', scripts: 'Traditional Chinese', isUsual: false },
  { name: 'noto-sans-kr', scripts: 'Korean', isUsual: true },
  { name: 'noto-emoji', scripts: 'Emoji', isUsual: true },
].map((one) => ({ ...one, name: `@fontsource-variable/${one.name}` }))

/** A package that is installed. */
export interface InstalledPackage {
  name: string
  /** The file that should have a letter: the package splits its letters among many. */
  fileFor(codePoint: number): string | undefined
}

export function isInstalled({ name }: FontPackage): boolean {
  return listOf(name) !== undefined
}

export function openPackage({ name }: FontPackage): InstalledPackage | undefined {
  const list = listOf(name)
  if (list === undefined) return undefined
  const short = name.slice(name.indexOf('/') + 1)
  const slices = readSlices(readFileSync(list, 'utf8'))
  return {
    name,
    fileFor: (codePoint) => {
      const slice = slices.get(codePoint)
      return slice === undefined
        ? undefined
        : list.replace('unicode.json', `files/${short}-${slice}-wght-normal.woff2`)
    },
  }
}

const require = createRequire(import.meta.url)

function listOf(name: string): string | undefined {
  try {
    return require.resolve(`${name}/unicode.json`)
  } catch {
    return undefined
  }
}

/** `{"[4]": "U+25ee8,U+6f94-6ff6", "latin": …}`: the slice of each letter, the first one that lists it. */
function readSlices(json: string): Map<number, string> {
  const slices = new Map<number, string>()
  for (const [key, ranges] of Object.entries(JSON.parse(json) as Record<string, string>)) {
    const slice = key.replace(/[[\]]/g, '')
    for (const range of ranges.split(',')) {
      const [first, last = first] = range.replace(/^U\+/i, '').split('-')
      const end = Number.parseInt(last as string, 16)
      for (let code = Number.parseInt(first as string, 16); code <= end; code++)
        if (!slices.has(code)) slices.set(code, slice)
    }
  }
  return slices
}

/** The package to install for letters that no font has; undefined if no package that is not installed has them. */
export function packageFor(
  letters: string,
  isThere: (fonts: FontPackage) => boolean = isInstalled,
): FontPackage | undefined {
  return FONT_PACKAGES.find((fonts) => LETTERS.get(fonts.name)?.test(letters) && !isThere(fonts))
}

const LETTERS: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['noto-sans', /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]/u],
      ['noto-sans-arabic', /\p{sc=Arabic}/u],
      ['noto-sans-hebrew', /\p{sc=Hebrew}/u],
      ['noto-sans-devanagari', /\p{sc=Devanagari}/u],
      ['noto-sans-thai', /\p{sc=Thai}/u],
      ['noto-sans-jp', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
      ['noto-sans-kr', /\p{sc=Hangul}/u],
      ['noto-sans-sc', /\p{sc=Han}/u],
      ['noto-sans-tc', /\p{sc=Han}/u],
      ['noto-emoji', /\p{Extended_Pictographic}/u],
    ] as const
  ).map(([name, letters]) => [`@fontsource-variable/${name}`, letters]),
)
