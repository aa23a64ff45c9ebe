// How a resolved VAST or DAAST tag is displayed: its media file in a player, its companions, and the URLs that it
// would call, as text. None of them is ever called.

import { MAX_COMPANIONS } from '../limits.ts'
import { frameOf } from './frame.ts'
import { type Markup, markup } from './markup.ts'
import { audioOf, imageOf, videoOf } from './media.ts'
import type { PageSize } from './page.ts'
import { type ManifestPart, wordsOf } from './parts.ts'
import type { AdTag, Companion, MediaFile } from './read-tag.ts'
import type { ResolvedTag } from './resolve-tag.ts'
import { addDetail, note, notice, type PageStage } from './stage.ts'

export function tagView(
  part: ManifestPart,
  stage: PageStage,
  { resolved, size }: { resolved: ResolvedTag; size: PageSize | undefined },
): Markup[] {
  const { tag, chain, replaced, fault } = resolved
  for (const [index, url] of chain.entries()) addDetail(stage, `Tag ${index + 1}`, url)
  for (const name of replaced) stage.room.replaced.add(name)
  const blocks: Markup[] = []
  if (tag) {
    if (tag.clickThrough) addDetail(stage, 'Click-through', tag.clickThrough)
    for (const { event, url } of tag.trackers) addDetail(stage, event, url)
    note(stage, `${tag.kind} ${tag.version}${tag.title ? `: ${tag.title}` : ''}`)
    blocks.push(playerOf(part, stage, { tag, size }))
  }
  if (fault !== undefined) blocks.push(notice(`${wordsOf(part.name)}: ${fault}.`))
  return blocks
}

/** The companions of a tag, at their own size. */
export function companionViews(
  { companions }: Pick<AdTag, 'companions'>,
  stage: PageStage,
): Markup[] {
  if (companions.length > MAX_COMPANIONS) {
    note(stage, `${MAX_COMPANIONS} of ${companions.length} companions are shown.`)
  }
  return companions.slice(0, MAX_COMPANIONS).map((companion) => companionView(companion, stage))
}

function playerOf(
  part: ManifestPart,
  stage: PageStage,
  { tag, size }: { tag: AdTag; size: PageSize | undefined },
): Markup {
  const file = bestFile(tag.mediaFiles, size)
  if (!file) {
    const [program] = tag.mediaFiles
    if (!program) return notice(`${wordsOf(part.name)} has no media file to play.`)
    return notice(`${wordsOf(part.name)} needs ${program.apiFramework ?? program.type} to play.`)
  }
  const durationMs = tag.durationMs ?? part.asset.duration_ms
  if (isAudio(file) || tag.kind === 'DAAST') return audioOf({ url: file.url, durationMs }, stage)
  const { width, height } = size ?? file
  return videoOf({ url: file.url, durationMs, width, height }, stage)
}

/** The file that a browser can play and whose size is nearest to the available space. */
function bestFile(files: readonly MediaFile[], size: PageSize | undefined): MediaFile | undefined {
  const wanted = size?.width ?? 1_280
  const rank = ({ type }: MediaFile) =>
    /mp4|mpeg|mp3/i.test(type) ? 0 : /webm|ogg/i.test(type) ? 1 : 2
  return files
    .filter(({ apiFramework, type }) => !apiFramework && !/javascript|flash/i.test(type))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || Math.abs((a.width ?? 0) - wanted) - Math.abs((b.width ?? 0) - wanted),
    )[0]
}

function isAudio({ type }: MediaFile): boolean {
  return type.startsWith('audio/')
}

function companionView(companion: Companion, stage: PageStage): Markup {
  const { width, height, imageUrl, html, frameUrl, clickThrough } = companion
  const size = width !== undefined && height !== undefined ? { width, height } : undefined
  const title = size ? `Companion ${width} × ${height}` : 'Companion'
  if (clickThrough) addDetail(stage, `${title} click-through`, clickThrough)
  if (frameUrl) addDetail(stage, `${title} page`, frameUrl)
  if (imageUrl) {
    const asset = { url: imageUrl, width, height, alt_text: title }
    const part = { name: 'companion', type: 'image' as const, asset }
    const image = imageOf({ ...part, slotRole: undefined, isGrouped: false }, stage)
    return markup`<figure>${image}<figcaption>${title}</figcaption></figure>`
  }
  if (html) return frameOf(html, stage, { size, title })
  return notice(`${title} is a page of its own, which is not opened.`)
}
