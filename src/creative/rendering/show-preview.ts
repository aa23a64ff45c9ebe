// What is behind the addresses of previews: a page that was drawn, the interactive page of a creative, or
// the creative drawn with the values of that page. What has to be drawn is drawn in the workshop.

import { isTooCostly } from '../../lib/workshop/workshop-error.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { CreativeWorkshop, OnBehalf } from '../jobs/creative-workshop.ts'
import { costOf } from '../jobs/too-costly.ts'
import type { MacroValues } from '../macros/universal-macros.ts'
import type { Found, PreviewStore, Seen } from '../preview-store.ts'
import type { PageWish } from './show-recipe.ts'

export interface ShowPreviewPorts {
  previews: Pick<PreviewStore, 'seen' | 'recipe'>
  workshop: CreativeWorkshop
  /** Hosts that markup and scripts of a creative may load from. Default none. */
  allowHosts?: readonly string[]
}

export type ShownPage = { ok: true; html: string; csp: string } | ShowRefusal

interface ShowRefusal {
  ok: false
  status: 404 | 410 | 422 | 429 | 503
  error: string
  retryAfterSeconds?: number
}

/** Who looks: nobody has a key here, so whoever the request is counted against. */
export interface Viewer {
  account: string
  signal?: AbortSignal
}

export type ShownStill = { ok: true; bytes: Uint8Array } | ShowRefusal

export interface PreviewPages {
  page(previewId: string): Promise<ShownPage>
  /** A picture of a page, as PNG. */
  still(previewId: string): Promise<ShownStill>
  interactive(previewId: string, viewer: Viewer): Promise<ShownPage>
  /** `role` is the place among the renders, from 0. Macros that the format does not know are ignored. */
  render(
    previewId: string,
    wanted: { role: number; macros: MacroValues },
    viewer: Viewer,
  ): Promise<ShownPage>
}

export function showPreview({
  previews,
  workshop,
  allowHosts = [],
}: ShowPreviewPorts): PreviewPages {
  const find = async <Kind extends Seen['kind']>(previewId: string, kind: Kind) =>
    IS_ID.test(previewId) ? seenAs(await previews.seen(previewId), kind) : UNKNOWN
  const draw = async (previewId: string, page: PageWish['page'], viewer: Viewer) => {
    const found = IS_ID.test(previewId) ? await previews.recipe(previewId) : undefined
    if (found?.state !== 'live') return found ? GONE : UNKNOWN
    return drawn(workshop, { recipe: found.body, page, allowHosts }, byViewer(viewer))
  }
  return {
    page: async (previewId) => {
      const seen = await find(previewId, 'page')
      return 'ok' in seen ? seen : { ok: true, html: seen.text, csp: seen.csp }
    },
    still: async (previewId) => {
      const seen = await find(previewId, 'still')
      return 'ok' in seen ? seen : { ok: true, bytes: seen.bytes }
    },
    interactive: (previewId, viewer) => draw(previewId, undefined, viewer),
    render: (previewId, wanted, viewer) => draw(previewId, wanted, viewer),
  }
}

function byViewer({ account, signal }: Viewer): OnBehalf {
  return { owner: account, isKeyless: true, signal }
}

async function drawn(workshop: CreativeWorkshop, wish: PageWish, by: OnBehalf): Promise<ShownPage> {
  try {
    const page = await workshop.run('show_page', wish, by)
    return page ? { ok: true, ...page } : UNKNOWN
  } catch (error) {
    if (by.signal?.aborted) return LEFT
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): ShowRefusal {
  if (isTooCostly(error)) {
    return { ok: false, status: 422, error: `this preview cannot be drawn: ${costOf(error)}` }
  }
  if (!(error instanceof ProtocolError)) throw error
  const { code, message, retry_after: retryAfterSeconds = 5 } = error.errors[0]
  const status = code === 'RATE_LIMITED' ? 429 : 503
  return { ok: false, status, error: message, retryAfterSeconds }
}

const IS_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whoever asked has gone, and reads no answer. */
const LEFT: ShowRefusal = { ok: false, status: 503, error: 'nobody waits for this any more' }
const UNKNOWN: ShowRefusal = { ok: false, status: 404, error: 'there is no such preview' }
const GONE: ShowRefusal = {
  ok: false,
  status: 410,
  error: 'this preview has expired: call preview_creative for a new one',
}

function seenAs<Kind extends Seen['kind']>(
  found: Found<Seen>,
  kind: Kind,
): Extract<Seen, { kind: Kind }> | ShowRefusal {
  if (found?.state !== 'live') return found ? GONE : UNKNOWN
  return found.body.kind === kind ? (found.body as Extract<Seen, { kind: Kind }>) : UNKNOWN
}
