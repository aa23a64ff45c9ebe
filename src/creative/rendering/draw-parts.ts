// Decides how the parts of one render are drawn: combined if they belong together (a mock-up, a player with its
// poster, a script with its styles), otherwise one below the other.

import type { Format } from '../../protocol/schemas/format.ts'
import { BRIEF_TYPES, briefOf } from './brief.ts'
import { carousel } from './carousel.ts'
import { framedCreative } from './frame.ts'
import { type Markup, markup } from './markup.ts'
import { audioOf, imageOf, playableOf, videoOf } from './media.ts'
import { labelled, mockUp, textList } from './mock-up.ts'
import type { PageSize } from './page.ts'
import { isClickThrough, isListed, isTag, type ManifestPart, wordsOf } from './parts.ts'
import type { ResolvedTag } from './resolve-tag.ts'
import { addDetail, notice, type PageStage } from './stage.ts'
import { companionViews, tagView } from './tag-view.ts'

export interface DrawOptions {
  format: Format
  size: PageSize | undefined
  itemLimit: number
  tags: ReadonlyMap<ManifestPart, ResolvedTag>
  companions: 'also' | 'none' | 'only'
}

export function drawParts(
  parts: readonly ManifestPart[],
  stage: PageStage,
  options: DrawOptions,
): Markup[] {
  listAddresses(parts, stage)
  const returned = parts.filter((part) => !isListed(part))
  const grouped = returned.filter(isItem)
  const alone = returned.filter((part) => !isItem(part))
  const blocks = [
    ...tagBlocks(alone, stage, options),
    ...mainBlocks(
      alone.filter((part) => !isTag(part)),
      stage,
      options,
    ),
    ...groupsOf(grouped).map((items) => carousel(items, stage, options.itemLimit)),
  ]
  return blocks.length > 0 ? blocks : [notice('This creative has nothing that can be seen.')]
}

/** Items of a group are in a strip; so is a single card. Scripts and tags never are. */
function isItem({ isGrouped, type }: ManifestPart): boolean {
  const mayGroup = type === 'image' || type === 'video' || type === 'text' || type === 'markdown'
  return type === 'card' || (isGrouped && mayGroup)
}

function groupsOf(parts: readonly ManifestPart[]): ManifestPart[][] {
  const groups = new Map<string, ManifestPart[]>()
  for (const part of parts) groups.set(part.name, [...(groups.get(part.name) ?? []), part])
  return [...groups.values()]
}

function listAddresses(parts: readonly ManifestPart[], stage: PageStage): void {
  for (const part of parts) {
    const { name, asset } = part
    const url = asset.url ?? asset.post_url
    if (isListed(part) && typeof url === 'string') {
      addDetail(
        stage,
        isClickThrough(part) ? `Click-through (${wordsOf(name)})` : wordsOf(name),
        url,
      )
    }
    for (const member of ['captions_url', 'transcript_url', 'audio_description_url']) {
      const other = asset[member]
      if (typeof other === 'string') addDetail(stage, wordsOf(member.replace('_url', '')), other)
    }
  }
}

function tagBlocks(
  parts: readonly ManifestPart[],
  stage: PageStage,
  options: DrawOptions,
): Markup[] {
  const { tags, companions, size } = options
  if (companions === 'only') {
    return [...tags.values()].flatMap(({ tag }) => (tag ? companionViews(tag, stage) : []))
  }
  return parts.flatMap((part) => {
    const resolved = tags.get(part)
    if (!resolved) return []
    const blocks = tagView(part, stage, { resolved, size })
    const isWhole = companions === 'also' && resolved.tag
    return isWhole ? [...blocks, ...companionViews(isWhole, stage)] : blocks
  })
}

function mainBlocks(
  parts: readonly ManifestPart[],
  stage: PageStage,
  options: DrawOptions,
): Markup[] {
  const { format, size, itemLimit } = options
  const of = (...types: ManifestPart['type'][]) => parts.filter(({ type }) => types.includes(type))
  const [texts, images, videos] = [of('text', 'markdown'), of('image'), of('video')]
  const [audios, zips] = [of('audio'), of('zip')]
  const framed = of('html', 'javascript')
  const briefs = parts.filter(({ type }) => BRIEF_TYPES.has(type))

  const frames = framed.length > 0 ? [framedCreative([...of('css'), ...framed], stage, size)] : []
  const zipped = zips.flatMap((zip) => zipBlocks(zip, stage))
  const briefed = briefs.map((part) => briefOf(part, stage, itemLimit))
  if (isMockUp(format, { texts, images, videos, framed })) {
    return [
      mockUp({ texts, images, videos }, stage),
      ...audios.map((one) => received(one, stage)),
      ...briefed,
    ]
  }
  const [poster] = videos.length > 0 || audios.length > 0 ? images : []
  const [main, ...others] = images.filter((image) => image !== poster)
  return [
    ...frames,
    ...zipped,
    ...videos.map((video) => videoOf(playableOf(video, size), stage, poster)),
    ...audios.map((audio) => received(audio, stage, videos.length > 0 ? undefined : poster)),
    ...(main ? [mainImage(main, stage, options)] : []),
    ...others.map((image) => labelled(image, imageOf(image, stage))),
    ...[textList(texts, stage)].filter((block) => block !== undefined),
    ...briefed,
    ...(framed.length > 0 ? [] : of('css').map((part) => codeOf(part))),
  ]
}

/** Texts around a picture are shown like a feed entry, and so is everything native. */
function isMockUp(
  { type, output_format_ids }: Format,
  {
    texts,
    images,
    videos,
    framed,
  }: Record<'texts' | 'images' | 'videos' | 'framed', ManifestPart[]>,
): boolean {
  if (texts.length === 0 || framed.length > 0 || output_format_ids) return false
  return type === 'native' || type === 'universal' || images.length + videos.length > 0
}

function received(audio: ManifestPart, stage: PageStage, cover?: ManifestPart): Markup {
  return audioOf(playableOf(audio, undefined), stage, cover)
}

/** Out-of-home screens are displayed as screens, at a scale that fits. */
function mainImage(image: ManifestPart, stage: PageStage, { format, size }: DrawOptions): Markup {
  const drawn = imageOf(image, stage, { size })
  return format.type === 'dooh' ? markup`<figure class="screen">${drawn}</figure>` : drawn
}

function zipBlocks({ name, asset }: ManifestPart, stage: PageStage): Markup[] {
  if (asset.url !== undefined) addDetail(stage, wordsOf(name), asset.url)
  const remark = notice(`${wordsOf(name)} is an archive; archives are not opened for previews.`)
  const backup = asset.backup_image_url
  if (typeof backup !== 'string') return [remark]
  const image = { name: 'backup_image', type: 'image' as const, asset: { url: backup } }
  return [remark, imageOf({ ...image, slotRole: undefined, isGrouped: false }, stage)]
}

function codeOf({ asset }: ManifestPart): Markup {
  return markup`<pre>${(asset.content ?? '').slice(0, 5_000)}</pre>`
}
