// Images, videos and audio files of a creative, with what their slots say about them.

import { type Markup, markup } from './markup.ts'
import type { PageSize } from './page.ts'
import { type ManifestPart, wordsOf } from './parts.ts'
import { showableUrl } from './showable-url.ts'
import { addDetail, notice, type PageStage, textOf } from './stage.ts'

export interface MediaPlace {
  /** The size it is displayed at; its own if there is none. */
  size?: PageSize | undefined
  className?: string
}

export function imageOf(
  part: ManifestPart,
  stage: PageStage,
  { size, className }: MediaPlace = {},
): Markup {
  const { asset, name } = part
  const returned = showableUrl(stage, asset.url ?? '', 'image')
  if (!returned.ok) return refused(returned.reason, part, stage)
  const alt = typeof asset.alt_text === 'string' ? textOf(stage, asset.alt_text) : wordsOf(name)
  const { width, height } = size ?? asset
  return markup`<img src="${returned.url}" alt="${alt}"${sizeOf(width, height)}${className !== undefined && markup` class="${className}"`} referrerpolicy="no-referrer">`
}

export interface Playable {
  url: string
  durationMs?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

export function videoOf(
  { url, durationMs, width, height }: Playable,
  stage: PageStage,
  poster?: ManifestPart,
): Markup {
  const returned = showableUrl(stage, url, 'video')
  if (!returned.ok) return notice(`${returned.reason}.`)
  const picture = poster && showableUrl(stage, poster.asset.url ?? '', 'image')
  const posterAttribute = picture?.ok && markup` poster="${picture.url}"`
  return markup`<figure><video controls preload="metadata" playsinline src="${returned.url}"${posterAttribute}${sizeOf(width, height)}></video>${durationOf(durationMs)}</figure>`
}

export function audioOf(
  { url, durationMs }: Playable,
  stage: PageStage,
  cover?: ManifestPart,
): Markup {
  const returned = showableUrl(stage, url, 'audio')
  if (!returned.ok) return notice(`${returned.reason}.`)
  return markup`<figure class="player">${cover && imageOf(cover, stage)}<audio controls preload="metadata" src="${returned.url}"></audio>${durationOf(durationMs)}</figure>`
}

export function playableOf({ asset }: ManifestPart, size: PageSize | undefined): Playable {
  const { url = '', duration_ms, width, height } = asset
  return {
    url,
    durationMs: duration_ms,
    width: size?.width ?? width,
    height: size?.height ?? height,
  }
}

/** 30000 as 0:30. */
export function lengthOf(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function durationOf(durationMs: number | undefined): Markup | undefined {
  if (durationMs === undefined) return undefined
  return markup`<figcaption>Length ${lengthOf(durationMs)}</figcaption>`
}

function sizeOf(width: number | undefined, height: number | undefined): Markup {
  return markup`${width !== undefined && markup` width="${width}"`}${height !== undefined && markup` height="${height}"`}`
}

function refused(reason: string, { name, asset }: ManifestPart, stage: PageStage): Markup {
  if (asset.url !== undefined) addDetail(stage, wordsOf(name), asset.url.slice(0, 500))
  return notice(`${reason}.`)
}
