// The operator's own fonts (ADWIRE_FONTS_DIR): files of a folder, which are used before all others for the
// letters that they have. Files of one family are its weights.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as hb from 'harfbuzzjs'
import { MAX_FONT_BYTES, MAX_FONT_FILES } from '../../limits.ts'
import { type Face, WEIGHTS } from '../faces.ts'
import { type Cut, openCut } from './cut.ts'
import { openFontFile } from './open-font-file.ts'
import type { Typeface } from './typeface.ts'

export interface OwnFonts {
  families: readonly string[]
  /** Files that are not used, and why. */
  unused: readonly { file: string; reason: string }[]
}

/** From now on; the folder is read when it is not the one that was used before. Empty for none. */
export function useFontsDir(folder: string): OwnFonts {
  if (folder !== used.folder) used = readFolder(folder)
  return used
}

export function ownTypefaces(): readonly Typeface[] {
  return used.typefaces
}

interface UsedFolder extends OwnFonts {
  folder: string
  typefaces: readonly Typeface[]
}

const NONE: UsedFolder = { folder: '', typefaces: [], families: [], unused: [] }
let used = NONE

function readFolder(folder: string): UsedFolder {
  if (folder === '') return NONE
  const byFamily = new Map<string, FontFile[]>()
  const unused: { file: string; reason: string }[] = []
  // By name, so that the order of a folder decides nothing.
  const files = readdirSync(folder).filter((name) => /\.(?:ttf|otf|woff2)$/i.test(name))
  for (const [index, file] of files.sort().entries()) {
    try {
      if (index >= MAX_FONT_FILES) throw new Error(`there are more than ${MAX_FONT_FILES} files`)
      const font = readFontFile(join(folder, file))
      byFamily.set(font.family, [...(byFamily.get(font.family) ?? []), font])
    } catch (error) {
      unused.push({ file, reason: (error as Error).message })
    }
  }
  const typefaces = [...byFamily.values()].map(familyOf)
  return { folder, typefaces, families: [...byFamily.keys()], unused }
}

interface FontFile {
  family: string
  weight: number
  /** Of a file with an axis of weights there are all. */
  isVariable: boolean
  path: string
  bytes: Uint8Array
}

/** Throws, with the reason, for a file that cannot be used. */
function readFontFile(path: string): FontFile {
  if (statSync(path).size > MAX_FONT_BYTES)
    throw new Error(`it has more than ${MAX_FONT_BYTES} bytes`)
  const bytes = openFontFile(path)
  const face = new hb.Face(new hb.Blob(bytes))
  if (face.upem === 0 || face.collectUnicodes().length === 0)
    throw new Error('it is no font with letters')
  const family = face.getName(TYPOGRAPHIC_FAMILY, 'en') || face.getName(FAMILY, 'en') || path
  const metrics = face.referenceTable('OS/2')
  const weight = metrics === undefined ? 400 : Buffer.from(metrics).readUInt16BE(4)
  return { family, weight, isVariable: 'wght' in face.getAxisInfos(), path, bytes }
}

const FAMILY = 1
const TYPOGRAPHIC_FAMILY = 16

function familyOf(files: readonly FontFile[]): Typeface {
  const cuts = new Map<Face, Cut>()
  const cut = (face: Face) => {
    let one = cuts.get(face)
    if (one === undefined) {
      const { path, bytes } = nearest(files, WEIGHTS[face])
      one = openCut(`${path} ${face}`, bytes, WEIGHTS[face])
      cuts.set(face, one)
    }
    return one
  }
  const faces = Object.keys(WEIGHTS) as Face[]
  // All weights of an advertisement come from one family, so a letter counts only if every weight has it.
  return { has: (codePoint) => faces.every((face) => cut(face).has(codePoint)), cut }
}

function nearest(files: readonly FontFile[], weight: number): FontFile {
  const far = (file: FontFile) => (file.isVariable ? 0 : Math.abs(file.weight - weight))
  return [...files].sort((a, b) => far(a) - far(b))[0] as FontFile
}
