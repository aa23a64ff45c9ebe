// Serves the URLs of previews: a page that was drawn, the interactive page of a creative, or the creative drawn with
// the values of that page. Drawing is done in the worker pool.

import { isTooCostly } from '../../lib/worker-pool/worker-pool-error.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { CreativeWorkerPool, OnBehalf } from '../jobs/creative-worker-pool.ts'
import { costOf } from '../jobs/too-costly.ts'
import type { MacroValues } from '../macros/universal-macros.ts'
import type { Found, PreviewContent, PreviewStore } from '../preview-store.ts'
import { createKeylessDraws, KEYLESS_DRAW_LIMITS, type NotDrawn } from './keyless-draws.ts'
import type { PageQuery } from './show-recipe.ts'

export interface ShowPreviewPorts {
  previews: Pick<PreviewStore, 'seen' | 'recipe'>
  workerPool: CreativeWorkerPool
  /** Hosts from which markup and scripts of a creative may load. Default none. */
  allowHosts?: readonly string[]
}

export type SerializedPage = { ok: true; html: string; csp: string } | ShowRefusal

interface ShowRefusal {
  ok: false
  status: 404 | 410 | 422 | 429 | 503
  error: string
  retryAfterSeconds?: number
}

/** The caller. Previews are open to everyone who has the URL; few callers send a key. */
export interface Viewer {
  /** Whose quota the request counts against. */
  account: string
  hasKey: boolean
  signal: AbortSignal
}

export type SerializedStill = { ok: true; bytes: Uint8Array } | ShowRefusal

export interface PreviewPages {
  page(previewId: string): Promise<SerializedPage>
  /** A picture of a page, as PNG. */
  still(previewId: string): Promise<SerializedStill>
  interactive(previewId: string, viewer: Viewer): Promise<SerializedPage>
  /** `role` is the place among the renders, from 0. Macros that the interactive page does not list are ignored. */
  render(
    previewId: string,
    wanted: { role: number; macros: MacroValues },
    viewer: Viewer,
  ): Promise<SerializedPage>
}

export function showPreview({
  previews,
  workerPool,
  allowHosts = [],
}: ShowPreviewPorts): PreviewPages {
  const find = async <Kind extends PreviewContent['kind']>(previewId: string, kind: Kind) =>
    IS_ID.test(previewId) ? seenAs(await previews.seen(previewId), kind) : UNKNOWN
  const keyless = createKeylessDraws()
  const drawNow = async (previewId: string, page: PageQuery['page'], viewer: Viewer) => {
    const found = IS_ID.test(previewId) ? await previews.recipe(previewId) : undefined
    if (found?.state !== 'live') return found ? GONE : UNKNOWN
    return drawn(workerPool, { recipe: found.body, page, allowHosts }, byViewer(viewer))
  }
  const draw = async (previewId: string, page: PageQuery['page'], viewer: Viewer) => {
    const draws = () => drawNow(previewId, page, viewer)
    if (viewer.hasKey) return draws()
    const outcome = await keyless.run(viewer.account, viewer.signal, draws)
    return typeof outcome === 'string' ? NOT_DRAWN[outcome] : outcome
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

async function drawn(
  workerPool: CreativeWorkerPool,
  preference: PageQuery,
  by: OnBehalf,
): Promise<SerializedPage> {
  try {
    const page = await workerPool.run('show_page', preference, by)
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

/** The client has disconnected and will not read the response. */
const LEFT: ShowRefusal = { ok: false, status: 503, error: 'the request was cancelled' }
const NOT_DRAWN: Readonly<Record<NotDrawn, ShowRefusal>> = {
  own_full: {
    ok: false,
    status: 429,
    error: `Too many previews of yours wait to be drawn: at most ${KEYLESS_DRAW_LIMITS.waitingOfOne.value} without a key. Retry after 1 s.`,
    retryAfterSeconds: 1,
  },
  all_full: {
    ok: false,
    status: 503,
    error: 'Too many previews wait to be drawn for viewers without a key. Retry after 5 s.',
    retryAfterSeconds: 5,
  },
  late: {
    ok: false,
    status: 503,
    error: 'The server is busy with other previews. Retry after 5 s.',
    retryAfterSeconds: 5,
  },
}
const UNKNOWN: ShowRefusal = { ok: false, status: 404, error: 'no preview with this address' }
const GONE: ShowRefusal = {
  ok: false,
  status: 410,
  error: 'this preview has expired: call preview_creative for a new one',
}

function seenAs<Kind extends PreviewContent['kind']>(
  found: Found<PreviewContent>,
  kind: Kind,
): Extract<PreviewContent, { kind: Kind }> | ShowRefusal {
  if (found?.state !== 'live') return found ? GONE : UNKNOWN
  return found.body.kind === kind
    ? (found.body as Extract<PreviewContent, { kind: Kind }>)
    : UNKNOWN
}
