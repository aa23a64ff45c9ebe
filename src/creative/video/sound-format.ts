// What a sound file is, by its first bytes: this is passed to ffmpeg, so that it guesses nothing from data that
// others wrote.

import type { SoundFormat } from './ffmpeg-arguments.ts'

/** Undefined for what is none of the usual ones. */
export function soundFormat(bytes: Uint8Array): SoundFormat | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12))
  const text = head.toString('latin1')
  if (text.startsWith('ID3')) return 'mp3'
  if (text.startsWith('RIFF') && text.slice(8) === 'WAVE') return 'wav'
  if (text.startsWith('fLaC')) return 'flac'
  if (text.startsWith('OggS')) return 'ogg'
  if (text.slice(4, 8) === 'ftyp') return 'mov'
  const [first = 0, second = 0] = head
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined
  // The two bits of the layer are 0 in AAC alone.
  return (second & 0x06) === 0 ? 'aac' : 'mp3'
}
