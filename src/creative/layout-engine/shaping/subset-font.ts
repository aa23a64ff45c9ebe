// A subset font: some letters of another font, in one weight, with everything that shapes and joins them, to embed in
// a banner. Uses HarfBuzz's own subsetter, which is a separate WebAssembly module.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FontInstance } from './font-instance.ts'

/** The functions of the module that are called, under the module's names. Addresses are numbers. */
interface Subsetter {
  memory: { readonly buffer: ArrayBuffer }
  malloc(bytes: number): number
  free(at: number): void
  hb_blob_create(at: number, bytes: number, mode: number, data: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_unicode_set(input: number): number
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, at: number): number
  hb_subset_or_fail(face: number, input: number): number
  _initialize(): void
}

/** Includes their parts: shaping decomposes a Thai ำ, and composes letters written in parts. */
export function lettersIn(text: string): Set<number> {
  const letters = new Set<number>()
  for (const character of text + text.normalize('NFD') + text.normalize('NFKD'))
    letters.add(character.codePointAt(0) as number)
  return letters
}

/** As a TrueType or OpenType file. Throws when the font cannot be read. */
export function subsetCut(
  { file, weight }: FontInstance,
  letters: ReadonlySet<number>,
): Uint8Array {
  const hb = subsetter()
  const at = hb.malloc(file.byteLength)
  new Uint8Array(hb.memory.buffer).set(file, at)
  const blob = hb.hb_blob_create(at, file.byteLength, READ_ONLY, 0, 0)
  const face = hb.hb_face_create(blob, 0)
  const input = hb.hb_subset_input_create_or_fail()
  try {
    const wanted = hb.hb_subset_input_unicode_set(input)
    for (const letter of letters) hb.hb_set_add(wanted, letter)
    if (weight !== undefined) hb.hb_subset_input_pin_axis_location(input, face, WEIGHT_TAG, weight)
    const subset = hb.hb_subset_or_fail(face, input)
    if (subset === 0) throw new Error('the font cannot be made smaller')
    return bytesOf(hb, subset)
  } finally {
    hb.hb_subset_input_destroy(input)
    hb.hb_face_destroy(face)
    hb.hb_blob_destroy(blob)
    hb.free(at)
  }
}

const READ_ONLY = 1
/** The letters `wght` as a number. */
const WEIGHT_TAG = 0x77676874

function bytesOf(hb: Subsetter, face: number): Uint8Array {
  const blob = hb.hb_face_reference_blob(face)
  const from = hb.hb_blob_get_data(blob, 0)
  const bytes = new Uint8Array(hb.memory.buffer).slice(from, from + hb.hb_blob_get_length(blob))
  hb.hb_blob_destroy(blob)
  hb.hb_face_destroy(face)
  return bytes
}

let loaded: Subsetter | undefined

function subsetter(): Subsetter {
  if (loaded === undefined) {
    const file = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')
    const module = new WebAssembly.Module(readFileSync(file))
    loaded = new WebAssembly.Instance(module).exports as unknown as Subsetter
    loaded._initialize()
  }
  return loaded
}
