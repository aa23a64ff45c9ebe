// Which URLs of a manifest a page may load: images and media from the web, and small ones embedded in the URL itself.
// Everything else (javascript:, file:, relative ones …) is displayed as text.

import { isUrl } from '../../lib/is-url.ts'
import { addressOf, type PageStage, takeRoom } from './stage.ts'

export type MediaKind = 'image' | 'video' | 'audio'

export type ShowableUrl = { ok: true; url: string } | { ok: false; reason: string }

/** SVG is listed: in an image it runs no script and loads nothing. */
const DATA = {
  image: /^data:image\/(png|jpeg|jpg|gif|webp|avif|svg\+xml)[;,]/i,
  video: /^data:video\/(mp4|webm|ogg|quicktime)[;,]/i,
  audio: /^data:audio\/(mpeg|mp3|mp4|aac|ogg|wav|webm|x-m4a)[;,]/i,
} as const satisfies Record<MediaKind, RegExp>

/** Checks the URL and allows its scheme in the page's policy. */
export function showableUrl(stage: PageStage, given: string, kind: MediaKind): ShowableUrl {
  const sources = kind === 'image' ? stage.images : stage.media
  const text = addressOf(stage, given)
  if (DATA[kind].test(text)) {
    if (!takeRoom(stage, text.length)) {
      return { ok: false, reason: `${nameOf(kind)} is too large to be displayed inline` }
    }
    sources.add('data:')
    return { ok: true, url: text }
  }
  const checked = webAddress(text, nameOf(kind))
  // By scheme, not by host: files are often redirected to another host, which a policy checks too.
  if (checked.ok) {
    const url = new URL(checked.url)
    sources.add(url.protocol)
    url.hash = ''
    if (kind === 'image') stage.loads.add(url.href)
  }
  return checked
}

/** Checks a URL that a text links to. It is displayed and never opened, so the policy does not change. */
export function showableLink(stage: PageStage, given: string): ShowableUrl {
  return webAddress(addressOf(stage, given), 'A link of a text')
}

function webAddress(text: string, name: string): ShowableUrl {
  const url = isUrl(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { ok: false, reason: `${name} is not at an http or https address` }
  }
  if (url.username !== '' || url.password !== '') {
    const lower = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    return { ok: false, reason: `The address of ${lower} has a password in it` }
  }
  return { ok: true, url: url.href }
}

function nameOf(kind: MediaKind): string {
  return kind === 'audio' ? 'The audio' : `The ${kind}`
}
