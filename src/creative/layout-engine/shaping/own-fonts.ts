// The operator's own fonts (ADWIRE_FONTS_DIR): files of a folder, which are used before all others for the
// letters that they have. Files of one family are its weights.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_FONT_BYTES, MAX_FONT_FILES } from '../../limits.ts'
import { WEIGHTS } from '../faces.ts'
import { openFontInstance } from './font-instance.ts'
import { type FontFile, nearestWeight, readFont } from './read-font.ts'
import { type Typeface, typefaceOf } from './typeface.ts'

export interface OwnFonts {
  families: readonly string[]
  /** Files that are not used, and why. */
  unused: readonly { file: string; reason: string }[]
}

/** Applies from now on; the folder is read if it differs from the previous one. Empty for none. */
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
  // Sorted by name, so that the order of the folder does not matter.
  const files = readdirSync(folder).filter((name) => /\.(?:ttf|otf|woff2?)$/i.test(name))
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

/** Throws, with the reason, for a file that cannot be used. */
function readFontFile(path: string): FontFile {
  if (statSync(path).size > MAX_FONT_BYTES)
    throw new Error(`it has more than ${MAX_FONT_BYTES} bytes`)
  const font = readFont(path, readFileSync(path))
  return { ...font, family: font.family || path }
}

function familyOf(files: readonly FontFile[]): Typeface {
  return typefaceOf((face) => {
    const { id, bytes } = nearestWeight(files, WEIGHTS[face])
    return openFontInstance(`${id} ${face}`, bytes, WEIGHTS[face])
  })
}
