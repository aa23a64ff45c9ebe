// The single way to create previews (spec 2.5): drawn first, with their URLs, and stored when the caller commits, so
// that a build and its previews exist together or not at all. Used for preview_creative and for the previews returned
// by a build.

import { defined } from '../../lib/defined.ts'
import type { Transaction } from '../../lib/transaction.ts'
import { secretUuid7 } from '../../lib/uuid7.ts'
import type { TaskError } from '../../protocol/errors.ts'
import type { Preview, PreviewRender } from '../../protocol/schemas/preview.ts'
import {
  type NewPreview,
  PREVIEW_TTL_MS,
  type PreviewContent,
  type PreviewStore,
} from '../preview-store.ts'
import type { DrawStills, StillCall, TakenStill } from '../stills/draw-stills.ts'
import type { DrawnPreview } from './draw-items.ts'
import {
  createDrawPreviews,
  type DrawCall,
  type DrawPorts,
  type SharedDrawing,
} from './draw-previews.ts'
import { recommendedSandbox } from './policy.ts'
import type { Rendered } from './render-manifest.ts'
import { noStills, type Pictured, withStills } from './with-stills.ts'

export interface PreviewPorts extends DrawPorts {
  previews: Pick<PreviewStore, 'add' | 'refuseFull'>
  /** Where the pages are served. Read at each call: it is unknown until the server listens. */
  publicUrl: () => string
  /** How long a page can be opened, in milliseconds. Default 24 hours. */
  ttlMs?: number
  /** Takes still pictures. Default: there is no browser, and requests for stills are refused. */
  drawStills?: DrawStills | undefined
}

export interface PreviewJob extends DrawCall {
  /** One for each creative, as in a batch of preview_creative. */
  requests: readonly unknown[]
  /** Whose quota they count for. */
  principalId: string
  /** Files whose URLs become valid only when they are stored with the previewed content. */
  files?: StillCall['files']
}

/** Drawn and with ids, but not stored yet. One invalid creative does not make the others fail. */
export interface PreparedPreviews {
  /** In the order of the requests. */
  outcomes: readonly ({ ok: true } | Refused)[]
  /** Stores all of them, and returns how they are displayed. May run more than once, as `Transact` explains. */
  commit(tx: Transaction): Promise<CommittedPreviews>
}

interface Refused {
  ok: false
  errors: readonly TaskError[]
}

interface CommittedPreviews {
  /** In the order of the requests. */
  creatives: readonly ({ ok: true; returned: SerializedCreative } | Refused)[]
  expires_at: string
}

interface SerializedCreative {
  previews: Preview[]
  interactive_url: string
  expires_at: string
  /** What is not in the pictures. */
  notes: readonly string[]
}

/** Throws QUOTA_EXCEEDED, here or at the commit, for an owner who has too many. */
export type MakePreviews = (preference: PreviewJob) => Promise<PreparedPreviews>

export function createMakePreviews(ports: PreviewPorts): MakePreviews {
  const draw = createDrawPreviews(ports)
  return async ({ requests, principalId, files, ...call }) => {
    if (call.output === 'image' && !ports.drawStills) throw noStills()
    await ports.previews.refuseFull(principalId)
    const drawn = await draw(requests, call)
    const pictured = await withStills(drawn, ports.drawStills, { ...call, files })
    const outcomes = pictured.map((one) =>
      one.ok ? { ok: one.ok, item: named(one.item, one) } : one,
    )
    return {
      outcomes,
      commit: async (tx) => {
        const items = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.item] : []))
        const expires_at = await store(ports, items, { tx, owner: principalId })
        const publicUrl = ports.publicUrl()
        const creatives = outcomes.map((one) =>
          one.ok ? { ok: one.ok, returned: serializeItem(one.item, publicUrl, expires_at) } : one,
        )
        return { creatives, expires_at }
      },
    }
  }
}

/** With its URLs for this call; one drawing may be used in many calls. */
interface NamedItem {
  item: SharedDrawing
  previews: NamedPreview[]
  notes: readonly string[]
}

interface NamedPreview {
  input: DrawnPreview['input']
  pages: [NamedPage, ...NamedPage[]]
}

interface NamedPage {
  page: Rendered
  preview_id: string
  still: TakenStill | undefined
}

function named(item: SharedDrawing, { stills, notes }: Pictured): NamedItem {
  const previews = item.previews.map(({ input, pages }) => {
    const own = pages.map((page) => ({
      page,
      preview_id: secretUuid7(Date.now()),
      still: stills.get(page),
    }))
    return { input, pages: own as NamedPreview['pages'] }
  })
  return { item, previews, notes }
}

/** Everything at once, so that a batch costs the database as much as one creative. */
async function store(
  { previews, ttlMs = PREVIEW_TTL_MS }: PreviewPorts,
  items: readonly NamedItem[],
  { tx, owner }: { tx: Transaction; owner: string },
): Promise<string> {
  const added = items.flatMap(storedOf)
  return new Date(await previews.add(tx, added, { ttlMs, owner })).toISOString()
}

/** The first preview has the interactive page; markup is in the response, and not stored. */
function storedOf({ item, previews }: NamedItem): NewPreview[] {
  const { drawingId, mayBeStored, recipe, output } = item
  const pages = previews.flatMap((one) => one.pages)
  const kept = output === 'html' ? pages.slice(0, 1) : pages
  return kept.map(({ preview_id, page, still }, index) => {
    const seen = output === 'html' ? undefined : (still?.body ?? pageOf(page))
    const body_id = still ? `${drawingId}.${index}.${still.digest}` : `${drawingId}.${index}`
    const body = { body_id, seen, recipe: index === 0 ? recipe : undefined, mayBeStored }
    return { preview_id, body }
  })
}

function pageOf({ html, csp }: Rendered): PreviewContent {
  return { kind: 'page', csp, text: html }
}

function serializeItem(
  { item: { format_id, output }, previews, notes }: NamedItem,
  publicUrl: string,
  expires_at: string,
): SerializedCreative {
  const interactive = previews[0]?.pages[0].preview_id ?? ''
  return {
    previews: previews.map((one) => ({ ...serializePreview(one, output, publicUrl), format_id })),
    interactive_url: `${publicUrl}/previews/${interactive}/interactive`,
    expires_at,
    notes,
  }
}

function serializePreview(
  { input, pages }: NamedPreview,
  output: SharedDrawing['output'],
  publicUrl: string,
): Preview {
  const renders = pages.map((page) => serializeRender(page, output, publicUrl))
  const [first] = renders
  const { name, macros, context_description } = input
  return {
    preview_id: first?.render_id ?? '',
    ...defined({
      preview_url: first?.preview_url,
      preview_html: first?.preview_html,
    }),
    input: {
      name,
      ...defined({ macros, context_description }),
    },
    renders,
  }
}

function serializeRender(
  { preview_id, page, still }: NamedPage,
  output: SharedDrawing['output'],
  publicUrl: string,
): PreviewRender {
  const { role, hasFrame, html, csp } = page
  const { width, height } = still ?? page
  const isSized = width !== undefined && height !== undefined
  const url = `${publicUrl}/previews/${preview_id}${still ? '.png' : ''}`
  const sandbox = { recommended_sandbox: recommendedSandbox(hasFrame), csp_policy: csp }
  return {
    render_id: preview_id,
    output_format: output,
    ...defined({
      preview_url: output === 'html' ? undefined : url,
      preview_html: output === 'html' || output === 'both' ? html : undefined,
    }),
    role,
    ...defined({
      dimensions: isSized ? { width, height } : undefined,
      // A picture is embedded as a picture.
      embedding: still ? undefined : sandbox,
    }),
  }
}
