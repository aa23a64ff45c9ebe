// The videos of a creative, made in the worker pool one after the other (spec 2.4, 4.2). Each has its own folder,
// which is deleted when the work has ended, with or without success.

import { rm } from 'node:fs/promises'
import { defined } from '../../lib/defined.ts'
import { trimEnd } from '../../lib/trim-end.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { SentAsset } from '../../protocol/schemas/assets.ts'
import { assetPath, digestOf, type NewAsset } from '../assets/asset-store.ts'
import type { PoolAccess } from '../jobs/creative-worker-pool.ts'
import { costlyBecause } from '../jobs/too-costly.ts'
import { makeFilmFolder } from '../video/film-folders.ts'
import { CODECS, type VideoEncoder } from '../video/video-encoder.ts'
import type { VideoSpec } from '../video/video-spec.ts'
import { type DraftAsset, isVideoWork, type VideoWork } from './draft.ts'
import { unusableSound } from './gather.ts'
import type { Gathered } from './job.ts'
import type { PlannedBuild } from './plan-build.ts'

export interface VideoMeans {
  encoder: VideoEncoder | undefined
  /** For one video. Default two minutes. */
  timeoutMs?: number | undefined
}

interface FilmDrawing {
  gathered: Gathered
  plan: Pick<PlannedBuild, 'sound'>
  publicUrl: string
  video: VideoMeans
}

interface MadeFilm {
  file: NewAsset
  asset: SentAsset
  note: string
}

const TIMEOUT_MS = 120_000

/** Throws a ProtocolError for a video that cannot be made. */
export async function makeFilms(
  assets: readonly DraftAsset[],
  drawing: FilmDrawing,
  access: PoolAccess,
): Promise<Map<DraftAsset, MadeFilm>> {
  const made = new Map<DraftAsset, MadeFilm>()
  for (const one of assets) {
    const { name, content: work } = one
    if (!isVideoWork(work)) continue
    const file = await fileOf({ name, work }, drawing, access)
    const asset = assetOf(file, work.film.spec, drawing.publicUrl)
    made.set(one, { file, asset, note: `${name}: ${reported(work)}` })
  }
  return made
}

async function fileOf(
  { name, work }: { name: string; work: VideoWork },
  { gathered, plan, video }: FilmDrawing,
  { workerPool, by }: PoolAccess,
): Promise<NewAsset> {
  const { film, sound: soundUrl } = work
  const { encoder, timeoutMs = TIMEOUT_MS } = video
  if (!encoder) throw new Error('a video was composed that nothing can encode')
  const sound = soundUrl === undefined ? undefined : gathered.sound
  const unmade = (reason: string) => cannotMake(name, reason)
  const folder = await makeFilmFolder()
  try {
    const request = { film, encoder, folder, timeoutMs, ...defined({ sound }) }
    const drawn = await workerPool.run('draw_video', request, by).catch(costlyBecause(unmade))
    if (drawn.ok) return drawn.file
    throw drawn.of === 'sound'
      ? unusableSound(plan.sound?.name ?? 'audio', drawn.reason)
      : unmade(drawn.reason)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function cannotMake(name: string, reason: string): ProtocolError {
  const message = `the video for ${name} cannot be made: ${reason}`
  return new ProtocolError('UNSUPPORTED_FEATURE', message, {
    field: `/creative_manifest/assets/${name}`,
  })
}

function reported({ film: { shots, spec }, sound }: VideoWork): string {
  const { width, height, durationMs } = spec
  const scenes = shots.length === 1 ? 'one scene' : `${shots.length} scenes`
  const received =
    sound === undefined ? 'with a silent sound track' : 'with the sound of the request'
  return `made of ${scenes}, ${width}x${height}, ${durationMs / 1_000} s, ${received}`
}

function assetOf({ bytes, media_type }: NewAsset, spec: VideoSpec, publicUrl: string): SentAsset {
  const { width, height, durationMs, container, framesPerSecond, audioKbps } = spec
  const kbps = Math.max(Math.round((bytes.byteLength * 8) / durationMs), 1)
  return {
    asset_type: 'video',
    url: trimEnd(publicUrl, '/') + assetPath(digestOf(bytes), media_type),
    width,
    height,
    duration_ms: durationMs,
    container_format: container,
    format: container,
    file_size_bytes: bytes.byteLength,
    bitrate_kbps: kbps,
    video_codec: CODECS[container].video.name,
    frame_rate: framesPerSecond,
    has_audio: true,
    audio_codec: CODECS[container].audio.name,
    audio_bitrate_kbps: audioKbps,
    audio_sampling_rate_hz: container === 'webm' ? 48_000 : spec.audioRateHz,
  }
}
