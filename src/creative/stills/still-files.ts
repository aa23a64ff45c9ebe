// The images that a page displays, fetched before the page is opened: the browser has no network access and does not
// wait for other servers. They come from our own assets or through the egress guard, limited in number and size.

import type { StillFile } from '../../lib/browser/take-still.ts'
import type { Egress } from '../../lib/safe-fetch/safe-fetch.ts'
import { MAX_PICTURE_BYTES, MAX_STILL_FILE_BYTES, MAX_STILL_FILES } from '../limits.ts'

export interface StillFilePorts {
  egress?: Pick<Egress, 'fetch'> | undefined
  /** The content at a URL of this server's own assets; undefined for any other URL. */
  ownAsset(url: string): Promise<StillFile | undefined>
}

type FoundFile = { ok: true; file: StillFile } | { ok: false; reason: string }

/** For all pages of one call: a URL is fetched once. */
export type FindFile = (url: string) => Promise<FoundFile>

const TIMEOUT_MS = 5_000

export function createFindFile(
  { egress, ownAsset }: StillFilePorts,
  { brought, signal }: { brought: ReadonlyMap<string, StillFile>; signal: AbortSignal },
): FindFile {
  const underWay = new Map<string, Promise<FoundFile>>()
  let left = MAX_STILL_FILE_BYTES

  async function fetchOnce(url: string): Promise<FoundFile> {
    const own = brought.get(url) ?? (await ownAsset(url))
    if (own) return { ok: true, file: own }
    if (!egress) return refused('images are not fetched here')
    const answer = await egress.fetch({
      url,
      headers: { accept: 'image/*' },
      totalTimeoutMs: TIMEOUT_MS,
      maxBytes: Math.min(MAX_PICTURE_BYTES, left),
      redirects: 'same-site',
      signal,
    })
    if (!answer.ok) return refused(answer.code === 'too_large' ? 'too_large' : answer.code)
    if (answer.status !== 200) return refused(`its server answered ${answer.status}`)
    left -= answer.body.byteLength
    const mediaType = String(answer.headers['content-type'] ?? '')
    if (!mediaType.toLowerCase().startsWith('image/')) return refused('it is no image')
    return { ok: true, file: { mediaType, bytes: answer.body } }
  }

  return (url) => {
    const known = underWay.get(url)
    if (known) return known
    if (underWay.size >= MAX_STILL_FILES || left <= 0) {
      return Promise.resolve(refused('there are too many of them for one call'))
    }
    const found = fetchOnce(url)
    underWay.set(url, found)
    return found
  }
}

function refused(reason: string): FoundFile {
  return { ok: false, reason }
}
