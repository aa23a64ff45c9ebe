// Unpacks a WOFF2 file into the OpenType file it was made from. The decoder is WebAssembly: a faulty file cannot harm
// anything outside it.

import decoder from 'wawoff2/build/decompress_binding.js'

await new Promise<void>((resolve) => {
  if (decoder.calledRun) resolve()
  else decoder.onRuntimeInitialized = resolve
})

export function isWoff2(file: Uint8Array): boolean {
  return Buffer.from(file.subarray(0, 4)).toString('latin1') === 'wOF2'
}

/** Throws when it is no such file. */
export function readWoff2(file: Uint8Array): Uint8Array {
  const font = decoder.decompress(file)
  if (font === false) throw new Error('not a font in the format WOFF2')
  return new Uint8Array(font)
}
