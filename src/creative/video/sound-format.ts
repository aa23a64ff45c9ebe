// Identifies a sound file by its first bytes: the result is passed to ffmpeg, so that it guesses nothing from
// untrusted data.

import type { SoundFormat } from './ffmpeg-arguments.ts'

/** Undefined if it is not one of the usual formats. */
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
  // The two layer bits are 0 only in AAC.
  return (second & 0x06) === 0 ? 'aac' : 'mp3'
}
