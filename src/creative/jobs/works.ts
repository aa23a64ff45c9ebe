// The jobs of the worker pool, by name: everything that reads or draws untrusted input, for the creative agent and
// the registry. A request contains everything the job needs, and a response all results: the process that does the
// work has no network, no database and no secrets.

import type { QueueLimits } from '../../lib/worker-pool/fair-bounds.ts'
import type { KindOfWork } from '../../lib/worker-pool/worker-pool.ts'
import type { FileReport, FileToCheck } from '../../protocol/adagents/check-file.ts'
import type { PackedReading } from '../../protocol/adagents/pack-reading.ts'
import type { AdagentsQuestion } from '../../protocol/adagents/read-adagents.ts'
import type { TaskError } from '../../protocol/errors.ts'
import type { ManifestQuestion, ManifestReading } from '../../protocol/read-manifest.ts'
import type { BrandDocuments, ReadBrand } from '../brand/read-brand.ts'
import type { ComposeRequest } from '../build-steps/compose-creative.ts'
import type { Draft } from '../build-steps/draft.ts'
import type { PlannedBuild, PlanRequest } from '../build-steps/plan-build.ts'
import type { CheckedFont } from '../layout-engine/shaping/brand-fonts.ts'
import type { OwnFonts } from '../layout-engine/shaping/own-fonts.ts'
import { MAX_SVG_MS } from '../limits.ts'
import type { CheckRequest } from '../manifest-check/check-request.ts'
import type { ManifestFault } from '../manifest-check/fault.ts'
import type { CheckedReading, ToCheck } from '../message/given-reading.ts'
import type { WordsToGuard } from '../message/guard-words.ts'
import type { CropPhoto, CroppedPhoto } from '../pictures/crop-photo.ts'
import type { DrawnPicture, DrawPicture } from '../pictures/draw-picture.ts'
import type { ReadLogo } from '../pictures/logo.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import type { ReadPicture } from '../pictures/read-picture.ts'
import type { DrawnPart, DrawRequest } from '../rendering/draw-items.ts'
import type { PageQuery, Returned, ServedPage } from '../rendering/show-recipe.ts'
import type { DrawnVideo, DrawVideo } from '../video/draw-video.ts'

export interface Works {
  /** Draws creatives; each is returned when it is done, and the last is the answer. */
  draw_previews: { request: DrawRequest; part: DrawnPart; answer: DrawnPart[] }
  /** The interactive page of a creative, or one of its pages with other values. */
  show_page: { request: PageQuery; part: never; answer: Returned<ServedPage> }
  /** The errors of manifests, each returned when the manifest was checked. */
  check_manifests: { request: CheckRequest; part: ManifestFault[]; answer: undefined }
  read_brand: { request: BrandDocuments; part: never; answer: ReadBrand }
  /** A brand.json or adagents.json fetched by the registry. */
  read_manifest: {
    request: { bytes: Uint8Array; question: ManifestQuestion }
    part: never
    answer: ManifestReading
  }
  /** An adagents.json fetched by the crawler. */
  read_adagents: {
    request: { bytes: Uint8Array; question: AdagentsQuestion }
    part: never
    answer: PackedReading
  }
  /** The errors in a file that a user is writing. */
  check_file: { request: FileToCheck; part: never; answer: FileReport }
  read_picture: {
    request: { source: PictureSource; maxBytes: number }
    part: never
    answer: ReadPicture
  }
  read_logo: {
    request: { source: PictureSource; maxBytes: number }
    part: never
    answer: ReadLogo
  }
  /** A photo, cropped for the layouts of one size. */
  crop_photo: { request: CropPhoto; part: never; answer: CroppedPhoto }
  /** The operator's fonts, and the files that are not fonts. */
  read_fonts: { request: { folder: string }; part: never; answer: OwnFonts }
  /** A font of a brand, before it is used. */
  read_font: { request: { bytes: Uint8Array }; part: never; answer: CheckedFont }
  /** The parts of a message as read by a model, if they can be used. */
  check_reading: { request: ToCheck; part: never; answer: CheckedReading }
  /** What is wrong with text written by a model, if anything. */
  guard_words: { request: WordsToGuard; part: never; answer: string | undefined }
  plan_build: { request: PlanRequest; part: never; answer: PlannedBuild }
  /** Composes a creative for each format; each is returned when it is done. */
  compose_creatives: { request: ComposeRequest; part: Draft; answer: undefined }
  draw_picture: { request: DrawPicture; part: never; answer: DrawnPicture }
  /** Runs ffmpeg, which ends when the process that does the work ends. */
  draw_video: { request: DrawVideo; part: never; answer: DrawnVideo }
}

export type WorkName = keyof Works

const KIND_OF: Readonly<Record<WorkName, WorkKind>> = {
  draw_previews: 'preview',
  show_page: 'page',
  check_manifests: 'check',
  read_brand: 'document',
  read_manifest: 'document',
  read_adagents: 'document',
  check_file: 'document',
  read_picture: 'image',
  read_logo: 'image',
  crop_photo: 'image',
  read_fonts: 'document',
  read_font: 'document',
  check_reading: 'document',
  guard_words: 'document',
  plan_build: 'build',
  compose_creatives: 'build',
  draw_picture: 'image',
  draw_video: 'video',
}

export type WorkKind =
  | 'preview'
  | 'page'
  | 'check'
  | 'document'
  | 'image'
  | 'svg'
  | 'build'
  | 'video'

/** Drawing a third-party SVG has its own limit. */
export function workKindOf(work: WorkName, isSvg: boolean): WorkKind {
  return isSvg ? 'svg' : KIND_OF[work]
}

const MIB = 1_024 * 1_024

/** The maximum number of waiting jobs, in total and per owner. */
export const WORK_QUEUE: QueueLimits = {
  maxWaiting: 1_000,
  maxWaitingPerOwner: 250,
  maxBytes: 256 * MIB,
  maxBytesPerOwner: 64 * MIB,
}
/** The most that a page or a document may take: thousands of times what they normally take. */
const SHORT_MS = 10_000

export interface LongestWork {
  /** One piece of work at all. */
  longestMs: number
  /** A video takes as long as hundreds of pages, so the number that run at a time is limited. */
  videoMs: number
  videos: number
}

export function kindsOfWork({
  longestMs,
  videoMs,
  videos,
}: LongestWork): Record<WorkKind, KindOfWork> {
  const short = { timeLimitMs: Math.min(SHORT_MS, longestMs) }
  const long = { timeLimitMs: longestMs }
  const svgMs = Math.min(MAX_SVG_MS, longestMs)
  const video = { timeLimitMs: videoMs, maxRunning: videos }
  return {
    preview: short,
    page: short,
    check: short,
    document: short,
    image: long,
    svg: { timeLimitMs: svgMs, processorLimitMs: svgMs },
    build: long,
    video,
  }
}

/** What goes to a worker. */
export interface WorkMessage {
  work: WorkName
  request: unknown
  /** The operator's own fonts; empty for none. Omitted by jobs that draw no text. */
  fontsDir?: string
}

/** The result of a job: a ProtocolError cannot be passed between processes as it is. */
export type WorkAnswer = { answer: unknown } | { refused: readonly [TaskError, ...TaskError[]] }
