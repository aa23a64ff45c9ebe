// What a slot requires of a file (spec 2.3): its format, size, length and technical data. What the manifest does not
// state is not checked: nothing is fetched here.

import { isUrl } from '../../lib/is-url.ts'
import type { AssetRequirements } from '../../protocol/schemas/asset-requirements.ts'
import { dataImage } from './address.ts'
import type { Faults } from './fault.ts'

type Members = Readonly<Record<string, unknown>>

export function checkFile(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  checkFileFormat(asset, requirements, faults)
  const bytes = dataImage(asset.url)?.bytes ?? asset.file_size_bytes
  if (typeof bytes === 'number') checkWeight(bytes, requirements, faults.at(fileSizeAt(asset)))
}

function fileSizeAt(asset: Members): 'url' | 'file_size_bytes' {
  return dataImage(asset.url) ? 'url' : 'file_size_bytes'
}

export function checkWeight(
  bytes: number,
  { max_file_size_kb }: AssetRequirements,
  faults: Faults,
): void {
  if (max_file_size_kb === undefined || bytes <= max_file_size_kb * 1_024) return
  const kb = Math.ceil(bytes / 1_024)
  const message = `This must be at most ${max_file_size_kb} KB, not ${kb}.`
  faults.add('max_file_size_kb', message, { expected: max_file_size_kb, actual: kb })
}

/** The alternative names of one format. */
const SAME_FORMAT: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['jpe', 'jpg'],
  ['pjpeg', 'jpg'],
  ['svg+xml', 'svg'],
  ['tif', 'tiff'],
  ['m4a', 'aac'],
  ['x-m4a', 'aac'],
  ['mpeg', 'mp3'],
  ['mpga', 'mp3'],
  ['quicktime', 'mov'],
  ['m4v', 'mp4'],
  ['x-matroska', 'mkv'],
])

/** `image/jpeg`, `.JPG` and `jpeg` are all `jpg`. */
function formatName(word: string): string {
  const bare = word
    .toLowerCase()
    .trim()
    .replace(/^(image|video|audio)\//, '')
    .replace(/^\./, '')
  return SAME_FORMAT.get(bare) ?? bare
}

/** File extensions that identify a type; any other extension says nothing. */
const KNOWN_ENDINGS: ReadonlySet<string> = new Set([
  'jpg',
  'png',
  'gif',
  'webp',
  'svg',
  'avif',
  'tiff',
  'bmp',
  'pdf',
  'eps',
  'mp4',
  'webm',
  'mov',
  'avi',
  'mkv',
  'mp3',
  'aac',
  'wav',
  'ogg',
  'flac',
])

function checkFileFormat(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const { formats = [], containers = [] } = requirements as {
    formats?: string[]
    containers?: string[]
  }
  const wanted = [...new Set([...formats, ...containers])]
  const stated = statedFormat(asset)
  if (wanted.length === 0 || !stated) return
  if (wanted.some((format) => formatName(format) === stated.format)) return
  const rule = formats.length > 0 ? 'formats' : 'containers'
  const message = `The file must be ${wanted.join(' or ')}, not ${stated.format.slice(0, 20)}.`
  faults.at(stated.member).add(rule, message, { expected: wanted, actual: stated.format })
}

/** The type stated by the asset; otherwise the type indicated by its data or by the extension of its URL. */
function statedFormat(asset: Members): { format: string; member: string } | undefined {
  for (const member of ['container_format', 'format']) {
    const word = asset[member]
    if (typeof word === 'string' && word !== '') return { format: formatName(word), member }
  }
  const { url } = asset
  if (typeof url !== 'string') return undefined
  const inData = dataImage(url)?.format
  if (inData) return { format: inData, member: 'url' }
  const ending = /\.([A-Za-z0-9]{2,5})$/.exec(pathOf(url))?.[1]
  const format = ending && formatName(ending)
  return format && KNOWN_ENDINGS.has(format) ? { format, member: 'url' } : undefined
}

function pathOf(url: string): string {
  if (!isUrl(url)) return ''
  return new URL(url).pathname
}

export function checkDuration(
  durationMs: unknown,
  { min_duration_ms: least, max_duration_ms: most }: AssetRequirements,
  faults: Faults,
): void {
  if (typeof durationMs !== 'number') return
  const values = { actual: durationMs }
  if (least !== undefined && least === most && durationMs !== least) {
    const message = `The length must be ${least} ms, not ${durationMs}.`
    faults.add('duration_ms', message, { expected: least, ...values })
  } else if (least !== undefined && durationMs < least) {
    const message = `The length must be at least ${least} ms, not ${durationMs}.`
    faults.add('min_duration_ms', message, { expected: least, ...values })
  } else if (most !== undefined && durationMs > most) {
    const message = `The length must be at most ${most} ms, not ${durationMs}.`
    faults.add('max_duration_ms', message, { expected: most, ...values })
  }
}

/** A requirement that lists the allowed values, and the member it applies to. */
const LISTED: readonly (readonly [rule: string, member: string])[] = [
  ['codecs', 'video_codec'],
  ['audio_codecs', 'audio_codec'],
  ['sample_rates', 'sampling_rate_hz'],
  ['audio_sample_rates', 'audio_sampling_rate_hz'],
  ['channels', 'channels'],
  ['audio_channels', 'audio_channels'],
  ['frame_rates', 'frame_rate'],
]

/** A requirement with one value, under the name of its member. */
const FIXED = ['frame_rate_type', 'scan_type', 'gop_type', 'moov_atom_position'] as const

/** Codecs, bit rates, frame rates and sound of a video or audio recording. */
export function checkTechnicalData(
  asset: Members,
  requirements: AssetRequirements,
  faults: Faults,
): void {
  const requested = requirements as Members
  for (const [rule, member] of LISTED)
    checkListed(asset[member], { rule, wanted: requested[rule] }, faults.at(member))
  for (const member of FIXED) {
    const wanted = requested[member]
    if (typeof wanted !== 'string') continue
    checkListed(asset[member], { rule: member, wanted: [wanted] }, faults.at(member))
  }
  checkBitrate(asset, requirements, faults)
  if (requirements.audio_required === true && asset.has_audio === false) {
    const message = 'The film must have sound.'
    faults.at('has_audio').add('audio_required', message, { expected: true, actual: false })
  }
  checkLoudness(asset, requirements, faults)
}

function checkListed(
  value: unknown,
  { rule, wanted }: { rule: string; wanted: unknown },
  faults: Faults,
): void {
  if (!Array.isArray(wanted) || wanted.length === 0) return
  if (typeof value !== 'string' && typeof value !== 'number') return
  const spelled = String(value).toLowerCase()
  if (wanted.some((one) => String(one).toLowerCase() === spelled || Number(one) === Number(value)))
    return
  const message = `This must be ${wanted.join(' or ')}.`
  faults.add(rule, message, { expected: wanted, actual: value })
}

function checkBitrate(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const member = asset.video_bitrate_kbps === undefined ? 'bitrate_kbps' : 'video_bitrate_kbps'
  const value = asset[member]
  if (typeof value !== 'number') return
  const { min_bitrate_kbps: least, max_bitrate_kbps: most } = requirements
  if (least !== undefined && value < least) {
    const message = `The bit rate must be at least ${least} kbps, not ${value}.`
    faults.at(member).add('min_bitrate_kbps', message, { expected: least, actual: value })
  } else if (most !== undefined && value > most) {
    const message = `The bit rate must be at most ${most} kbps, not ${value}.`
    faults.at(member).add('max_bitrate_kbps', message, { expected: most, actual: value })
  }
}

function checkLoudness(asset: Members, requirements: AssetRequirements, faults: Faults): void {
  const { loudness_lufs: wanted, loudness_tolerance_db: tolerance = 0 } = requirements
  for (const member of ['audio_loudness_lufs', 'loudness_lufs']) {
    const value = asset[member]
    if (typeof value !== 'number' || wanted === undefined) continue
    if (Math.abs(value - wanted) <= tolerance) continue
    const message = `The loudness must be ${wanted} LUFS, give or take ${tolerance}, not ${value}.`
    faults.at(member).add('loudness_lufs', message, { expected: wanted, actual: value })
  }
  const most = requirements.true_peak_dbfs
  for (const member of ['audio_true_peak_dbfs', 'true_peak_dbfs']) {
    const value = asset[member]
    if (typeof value !== 'number' || most === undefined || value <= most) continue
    const message = `The true peak must be at most ${most} dBFS, not ${value}.`
    faults.at(member).add('true_peak_dbfs', message, { expected: most, actual: value })
  }
}
