// Which video a slot requires (spec 2.3): its size, length, frame rate and file size, within what can be made here,
// or why none can be made for it. Pure.

import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import type { Format } from '../../protocol/schemas/format.ts'
import { MAX_ASSET_BYTES } from '../assets/asset-store.ts'
import { type BuildSlot, type PixelSize, pictureSize } from '../build-steps/slots.ts'
import { MAX_VIDEO_MS, MAX_VIDEO_PIXELS } from '../limits.ts'
import { dimensionsOf } from '../renders.ts'
import { CODECS, type VideoContainer } from './video-encoder.ts'

export interface VideoSpec extends PixelSize {
  durationMs: number
  /** In ffmpeg notation, and as a number. */
  frameRate: string
  framesPerSecond: number
  container: VideoContainer
  /** For the video stream only: the maximum bit rate and, if the slot requires it, the constant bit rate. */
  maxKbps: number
  constantKbps?: number
  audioKbps: number
  audioRateHz: number
  maxBytes: number
}

export type RequestedVideo = { ok: true; spec: VideoSpec } | { ok: false; reason: string }

/** Members that requirements may have in addition to those of the schema. */
type Requested = AssetRequirements & {
  audio_sample_rates?: readonly number[]
  audio_channels?: readonly string[]
}

export function videoSpec(
  slot: Pick<BuildSlot, 'role' | 'requirements'>,
  format: Format,
  { containers }: { containers: readonly VideoContainer[] },
): RequestedVideo {
  const requested = slot.requirements as Requested
  const container = containers.find((one) => isTaken(one, requested))
  if (!container)
    return refuse(`${listOf(containers)} can be made, and it takes ${taken(requested)}`)
  const size = sizeOf(slot as BuildSlot, format)
  const misfit = unfitSize(size) ?? unfitSound(requested)
  if (misfit !== undefined) return refuse(misfit)
  const durationMs = within(USUAL_MS, requested.min_duration_ms, requested.max_duration_ms)
  if (durationMs > MAX_VIDEO_MS || durationMs < LEAST_MS) {
    return refuse(
      `it lasts ${durationMs} ms, and a video of ${LEAST_MS} to ${MAX_VIDEO_MS} ms can be made`,
    )
  }
  const rate = rateOf(requested.frame_rates)
  if (!rate)
    return refuse(`none of its frame rates can be made: ${requested.frame_rates?.join(', ')}`)
  const weight = weightOf(requested, size, durationMs)
  if ('reason' in weight) return refuse(weight.reason)
  const audioRateHz = AUDIO_RATES.find((one) => requested.audio_sample_rates?.includes(one) ?? true)
  if (!audioRateHz)
    return refuse(`its sound must have ${requested.audio_sample_rates?.join(', ')} Hz`)
  const audioKbps = AUDIO_KBPS
  return {
    ok: true,
    spec: { ...size, durationMs, ...rate, container, ...weight, audioKbps, audioRateHz },
  }
}

/** The format supported by most pages, if the format leaves it open. */
const USUAL_MS = 15_000
const LEAST_MS = 1_000
const OPEN_SIZE: PixelSize = { width: 1_280, height: 720 }
const AUDIO_KBPS = 128
const AUDIO_RATES = [48_000, 44_100]

function refuse(reason: string): RequestedVideo {
  return { ok: false, reason }
}

function isTaken(container: VideoContainer, requested: Requested): boolean {
  const { video, audio } = CODECS[container]
  const has = (list: readonly string[] | undefined, ...names: string[]) =>
    list === undefined ||
    list.length === 0 ||
    list.some((one) => names.includes(one.toLowerCase().replace(/[^a-z0-9]/g, '')))
  return (
    has(requested.containers, container) &&
    has(requested.formats, container) &&
    has(requested.codecs, video.name, ...(video.name === 'h264' ? ['avc', 'avc1'] : [])) &&
    has(requested.audio_codecs, audio.name)
  )
}

function taken({
  containers = [],
  formats = [],
  codecs = [],
  audio_codecs = [],
}: Requested): string {
  return [...containers, ...formats, ...codecs, ...audio_codecs].join(', ')
}

function listOf(containers: readonly VideoContainer[]): string {
  const named = containers.map((one) => `${one} (${CODECS[one].video.name})`)
  return named.join(' and ') || 'no video'
}

/** If neither slot nor format has a size, one that ordinary players show well. */
function sizeOf(slot: BuildSlot, format: Format): PixelSize {
  const { min_width, max_width, min_height, max_height, aspect_ratio } = slot.requirements
  const isRequested = [min_width, max_width, min_height, max_height, aspect_ratio].some(
    (one) => one !== undefined,
  )
  const isSized = dimensionsOf(format).some(
    ({ width, aspect_ratio: ratio }) => width !== undefined || ratio !== undefined,
  )
  return isRequested || isSized ? pictureSize(slot, format) : OPEN_SIZE
}

const LEAST_SIDE = 96

function unfitSize({ width, height }: PixelSize): string | undefined {
  const size = `it has ${width}x${height} pixels`
  if (width * height > MAX_VIDEO_PIXELS) {
    return `${size}, and a video of at most ${MAX_VIDEO_PIXELS} can be made`
  }
  if (Math.min(width, height) < LEAST_SIDE) {
    return `${size}, and each side of a video that is made has at least ${LEAST_SIDE}`
  }
  // Colours are stored for squares of four pixels.
  if (width % 2 === 1 || height % 2 === 1) return `${size}, and both must be even`
  return undefined
}

function unfitSound({ loudness_lufs, audio_channels }: Requested): string | undefined {
  if (loudness_lufs !== undefined) {
    return `its sound must have ${loudness_lufs} LUFS, and what is made here is not mastered`
  }
  if (audio_channels && !audio_channels.includes('stereo')) {
    return `its sound must be ${audio_channels.join(' or ')}, and stereo can be made`
  }
  return undefined
}

/** The first allowed one; as fractions where television uses them. */
const RATES: readonly (readonly [number, string])[] = [
  [25, '25'],
  [30, '30'],
  [24, '24'],
  [29.97, '30000/1001'],
  [23.976, '24000/1001'],
  [23.98, '24000/1001'],
  [50, '50'],
  [60, '60'],
  [59.94, '60000/1001'],
]

function rateOf(allowed: readonly number[] | undefined) {
  const found = RATES.find(([rate]) => !allowed?.length || allowed.includes(rate))
  return found && { framesPerSecond: found[0], frameRate: found[1] }
}

/** A higher value makes no visible difference on the flat colours and still photos drawn here. */
const KBPS_PER_MEGAPIXEL = 3_600
/** Less is no picture any more. */
const LEAST_KBPS = 150
/** Reserved for the container and the encoder's deviation from its rate. */
const SHARE = 0.94

function weightOf(requested: Requested, { width, height }: PixelSize, durationMs: number) {
  const { min_bitrate_kbps: least, max_bitrate_kbps: most, max_file_size_kb } = requested
  const maxBytes = Math.min((max_file_size_kb ?? Number.POSITIVE_INFINITY) * 1_000, MAX_ASSET_BYTES)
  const room = (maxBytes * 8) / durationMs
  const allowed = Math.floor(Math.min(room, most ?? room) * SHARE) - AUDIO_KBPS
  if (least !== undefined && least > Math.min(room, most ?? room) * SHARE) {
    const bytes = Math.round((least * durationMs) / 8)
    const reason = `it must have ${least} kbps, which are ${bytes} bytes, and a file of at most ${maxBytes} can be made`
    return { reason }
  }
  if (allowed < LEAST_KBPS) {
    return { reason: `it may have ${Math.floor(room)} kbps, and no video is that small` }
  }
  const usual = Math.max(800, Math.round((KBPS_PER_MEGAPIXEL * width * height) / 1_000_000))
  if (least === undefined) return { maxBytes, maxKbps: Math.min(usual, allowed) }
  const constantKbps = Math.min(Math.ceil(least * 1.02), allowed)
  return { maxBytes, maxKbps: constantKbps, constantKbps }
}

function within(value: number, least = 0, most = Number.POSITIVE_INFINITY): number {
  return Math.min(Math.max(value, least), most)
}
