// A WOFF2 file as the OpenType file that it was made from. The decoder is WebAssembly: what is wrong with
// a file stays inside it.

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
