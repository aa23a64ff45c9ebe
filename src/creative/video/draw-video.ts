// Makes a video in the worker pool (spec 2.4, 4.2): its layers are drawn once, composed frame by frame, and passed to
// the encoder as fast as it accepts them.

import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NewAsset } from '../assets/asset-store.ts'
import { drawPixels } from '../pictures/draw-image.ts'
import { cropped, crossFade, type FrameLayer, lay, opaque } from './blend.ts'
import { ffmpegArguments } from './ffmpeg-arguments.ts'
import { readMp4 } from './read-mp4.ts'
import { runEncoder } from './run-encoder.ts'
import { type FrameContent, type Shot, seenAt } from './schedule.ts'
import { soundFormat } from './sound-format.ts'
import type { VideoEncoder } from './video-encoder.ts'
import type { VideoSpec } from './video-spec.ts'

export interface Film {
  spec: VideoSpec
  shots: readonly Shot[]
  /** Our own SVG, each as large as the frame. */
  grounds: readonly string[]
  layers: readonly string[]
}

export interface DrawVideo {
  film: Film
  encoder: VideoEncoder
  /** A sound file from the request. Default: the video is silent. */
  sound?: Uint8Array
  /** An empty one, of this film alone. */
  folder: string
  timeoutMs: number
}

export type DrawnVideo =
  | { ok: true; file: NewAsset }
  | { ok: false; of: 'sound' | 'video'; reason: string }

export async function drawVideo(work: DrawVideo): Promise<DrawnVideo> {
  const { film, encoder, sound, folder, timeoutMs } = work
  const { spec } = film
  const demuxer = sound && soundFormat(sound)
  if (sound && !demuxer) {
    return refuse('sound', 'it is not an MP3, AAC, M4A, WAV, FLAC or Ogg file')
  }
  if (sound) await writeFile(join(folder, 'sound'), sound)
  const output = `film.${spec.container}`
  const args = ffmpegArguments({
    spec,
    output,
    ...(demuxer && { sound: { file: 'sound', demuxer } }),
    maxCpuSeconds: Math.ceil(timeoutMs / 1_000),
  })
  const frames = framesOf(film, await drawn(film))
  const { path, env } = encoder
  const encoded = await runEncoder(frames, { path, env, args, folder, timeoutMs })
  if (!encoded.ok) {
    if (encoded.reason === 'too_long') return refuse('video', `it takes more than ${timeoutMs} ms`)
    // Our own frames are always well formed, so if there is a sound, it is the cause of the ffmpeg error.
    return refuse(sound ? 'sound' : 'video', `ffmpeg: ${encoded.said || 'no output'}`)
  }
  return fileOf(join(folder, output), spec)
}

function refuse(of: 'sound' | 'video', reason: string): DrawnVideo {
  return { ok: false, of, reason }
}

/** The output of ffmpeg, checked against the request: at its maximum size, ffmpeg just stops. */
async function fileOf(
  path: string,
  { container, durationMs, maxBytes }: VideoSpec,
): Promise<DrawnVideo> {
  const { size } = await stat(path)
  const tooLarge = `its file would have more than ${maxBytes} bytes`
  if (size > maxBytes) return refuse('video', tooLarge)
  const bytes = await readFile(path)
  if (container === 'webm') {
    return size > maxBytes * 0.99
      ? refuse('video', tooLarge)
      : { ok: true, file: { bytes, media_type: 'video/webm' } }
  }
  const read = readMp4(bytes)
  if (!read?.isFastStart) return refuse('video', 'ffmpeg wrote no file that can be played')
  if (Math.abs(read.durationMs - durationMs) > TOLERANCE_MS) {
    return refuse(
      'video',
      size > maxBytes * 0.9 ? tooLarge : `it came out ${read.durationMs} ms long`,
    )
  }
  return { ok: true, file: { bytes, media_type: 'video/mp4' } }
}

/** Sound consists of pieces of about 20 ms. */
const TOLERANCE_MS = 100

interface Drawn {
  grounds: readonly Uint8Array[]
  layers: readonly (FrameLayer | undefined)[]
}

/** One after another, each cropped to its content. */
async function drawn({ spec, grounds, layers }: Film): Promise<Drawn> {
  const made: { grounds: Uint8Array[]; layers: (FrameLayer | undefined)[] } = {
    grounds: [],
    layers: [],
  }
  for (const svg of grounds) made.grounds.push(opaque(await drawPixels(svg, spec)))
  for (const svg of layers) made.layers.push(cropped(await drawPixels(svg, spec)))
  return made
}

/** A frame that looks like the previous one reuses it. */
function* framesOf({ spec, shots }: Film, drawnOnce: Drawn): Generator<Uint8Array> {
  const { width, height, framesPerSecond, durationMs } = spec
  const count = Math.round((durationMs * framesPerSecond) / 1_000)
  const rise = Math.round(height * 0.03)
  let key = ''
  let pixels: Uint8Array = new Uint8Array()
  for (let index = 0; index < count; index++) {
    const seen = seenAt((index * 1_000) / framesPerSecond, shots)
    const next = JSON.stringify(seen)
    if (next !== key) {
      // A new buffer: the pipe may still hold the last one.
      pixels = frameOf(seen, drawnOnce, { width, height, rise })
      key = next
    }
    yield pixels
  }
}

function frameOf(
  { grounds, layers }: FrameContent,
  drawnOnce: Drawn,
  { width, height, rise }: { width: number; height: number; rise: number },
): Uint8Array {
  const [first, second] = grounds
  const pixels = Uint8Array.from(drawnOnce.grounds[first?.ground ?? 0] as Uint8Array)
  if (second) crossFade(pixels, drawnOnce.grounds[second.ground] as Uint8Array, second.opacity)
  for (const { layer, opacity, rise: share } of layers) {
    const one = drawnOnce.layers[layer]
    if (one) lay({ width, height, pixels }, one, { opacity, down: Math.round(rise * share) })
  }
  return pixels
}
