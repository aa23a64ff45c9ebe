// Letters for which the server's machine may have no font: a page that is captured as a picture here embeds them,
// from the font packages that builds also use. A user who opens the page has their own fonts.

import { readFile } from 'node:fs/promises'
import {
  FONT_PACKAGES,
  type InstalledPackage,
  openPackage,
} from '../layout-engine/shaping/font-packages.ts'
import { MAX_STILL_FONT_FILES } from '../limits.ts'
import { hashOf } from '../rendering/policy.ts'

interface Page {
  html: string
  /** As its header says it. */
  csp: string
  /** A creative in a frame has only the fonts that it embeds itself. */
  hasFrame: boolean
}

/**
 * The same page with embedded fonts for these letters; unchanged if it has none. They precede the fonts of the
 * machine: after a generic family, Chromium does not lay out words again once such a font is loaded.
 */
export async function withStillFonts<P extends Page>(page: P): Promise<P> {
  if (page.hasFrame) return page
  const faces = await Promise.all([...filesFor(page.html)].map(faceOf))
  if (faces.length === 0) return page
  const css = `${faces.join('')}body{font-family:${FAMILY},system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}`
  const hash = hashOf(css)
  const html = page.html
    .replace(/style-src &#39;[^;&]+&#39;/, (all) => `${all} ${escaped(hash)}; font-src data:`)
    .replace('</head>', () => `<style>${css}</style></head>`)
  const csp = page.csp.replace(/style-src [^;]+/, (all) => `${all} ${hash}; font-src data:`)
  return { ...page, html, csp }
}

const FAMILY = '"Still Letters"'

/** Every machine has Latin, Greek and Cyrillic, and mixing would set a word in two fonts. */
const FOREIGN =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{sc=Thai}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}\p{sc=Hangul}\p{Extended_Pictographic}\u3000-\u303f\u30fc\uff00-\uffef]/gu

/** The files with the letters of a page, each with the letters it is used for. */
function filesFor(html: string): Map<string, number[]> {
  const files = new Map<string, number[]>()
  const letters = new Set(html.match(FOREIGN) ?? [])
  const han = KANA.test(html) ? 'noto-sans-jp' : 'noto-sans-sc'
  for (const letter of letters) {
    const codePoint = letter.codePointAt(0) as number
    const [, own] = SCRIPTS.find(([script]) => script.test(letter)) ?? [undefined, han]
    const file = fileFor(codePoint, own)
    if (file === undefined || (files.size >= MAX_STILL_FONT_FILES && !files.has(file))) continue
    files.set(file, [...(files.get(file) ?? []), codePoint])
  }
  return files
}

/** Packages list letters that their files lack, so the package made for a script is tried first. */
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{sc=Arabic}/u, 'noto-sans-arabic'],
  [/\p{sc=Hebrew}/u, 'noto-sans-hebrew'],
  [/\p{sc=Devanagari}/u, 'noto-sans-devanagari'],
  [/\p{sc=Thai}/u, 'noto-sans-thai'],
  [/\p{sc=Hangul}/u, 'noto-sans-kr'],
  [/\p{Extended_Pictographic}/u, 'noto-emoji'],
]

function fileFor(codePoint: number, first: string): string | undefined {
  const isFirst = ({ name }: InstalledPackage) => name.endsWith(`/${first}`)
  const others = installed().filter((fonts) => !isFirst(fonts))
  for (const fonts of [...installed().filter(isFirst), ...others]) {
    const file = fonts.fileFor(codePoint)
    if (file !== undefined) return file
  }
  return undefined
}

let packages: readonly InstalledPackage[] | undefined

function installed(): readonly InstalledPackage[] {
  packages ??= FONT_PACKAGES.map(openPackage).filter((one) => one !== undefined)
  return packages
}

async function faceOf([file, codePoints]: readonly [string, readonly number[]]): Promise<string> {
  const data = await readFile(file, 'base64')
  const range = codePoints.map((one) => `U+${one.toString(16)}`).join(',')
  return `@font-face{font-family:${FAMILY};font-weight:100 900;src:url(data:font/woff2;base64,${data});unicode-range:${range}}`
}

function escaped(hash: string): string {
  return hash.replaceAll("'", '&#39;')
}
