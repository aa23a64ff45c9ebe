// The fonts embedded in a banner, each reduced to the letters that it shows.

import { type Face, FONT_FAMILY, WEIGHTS } from './faces.ts'
import type { PlacedText, Scene } from './scene.ts'
import type { FontInstance } from './shaping/font-instance.ts'
import type { ShapedLine } from './shaping/shape-line.ts'
import { lettersIn, subsetCut } from './shaping/subset-font.ts'
import { subsetFont } from './subset-font.ts'

export interface BannerFonts {
  /** As a style sheet. */
  faces: string
  /** For `font-family`: the fonts that the letters of a line come from. */
  familiesOf(line: ShapedLine): string
}

export function bannerFontsOf({ parts }: Pick<Scene, 'parts'>): BannerFonts {
  const texts = parts.flatMap((part) => part.texts)
  const cuts = lettersOfCuts(texts)
  const names = new Map([...cuts.keys()].map((cut, index) => [cut, `f${index + 1}`]))
  const faces = [...plainFaces(texts)]
  for (const [cut, letters] of cuts) faces.push(faceOf(names.get(cut) as string, cut, letters))
  return {
    faces: faces.join('\n'),
    familiesOf: ({ runs }) => [...new Set(runs.map(({ cut }) => names.get(cut)))].join(','),
  }
}

function plainFaces(texts: readonly PlacedText[]): string[] {
  const letters = new Map<Face, string>()
  for (const { set } of texts)
    if (!set.shaped) letters.set(set.face, (letters.get(set.face) ?? '') + set.lines.join(''))
  return [...letters].map(([face, text]) => {
    const data = subsetFont(face, `${text} `).toString('base64')
    return `@font-face{font-family:'${FONT_FAMILY}';font-weight:${WEIGHTS[face]};src:url(data:font/ttf;base64,${data})}`
  })
}

function lettersOfCuts(texts: readonly PlacedText[]): Map<FontInstance, Set<number>> {
  const letters = new Map<FontInstance, Set<number>>()
  for (const { cut, text } of texts
    .flatMap(({ set }) => set.shaped ?? [])
    .flatMap(({ runs }) => runs)) {
    const known = letters.get(cut) ?? new Set()
    for (const letter of lettersIn(text)) known.add(letter)
    letters.set(cut, known)
  }
  return letters
}

/** The range makes a browser use the font in which each letter was measured. */
function faceOf(name: string, cut: FontInstance, letters: ReadonlySet<number>): string {
  const range = [...letters].sort((a, b) => a - b).map((code) => `U+${code.toString(16)}`)
  const data = Buffer.from(subsetCut(cut, letters)).toString('base64')
  return `@font-face{font-family:${name};font-weight:1 1000;unicode-range:${range.join(',')};src:url(data:font/ttf;base64,${data})}`
}
