// The one way previews come to be (spec 2.5): drawn first, with their addresses, and stored when whoever
// asked commits, so that a build and its previews are there together or not at all. For preview_creative
// and for the previews that come with a build.

import { randomUUID } from 'node:crypto'
import { defined } from '../../lib/defined.ts'
import type { Transaction } from '../../lib/transaction.ts'
import type { TaskError } from '../../protocol/errors.ts'
import type { Preview, PreviewRender } from '../../protocol/schemas/preview.ts'
import { type NewPreview, PREVIEW_TTL_MS, type PreviewStore } from '../preview-store.ts'
import type { DrawStills, StillCall, TakenStill } from '../stills/draw-stills.ts'
import type { DrawnItem, DrawnPage, DrawnPreview } from './draw-items.ts'
import { createDrawPreviews, type DrawCall, type DrawPorts } from './draw-previews.ts'
import { recommendedSandbox } from './policy.ts'
import { noStills, type Pictured, withStills } from './with-stills.ts'

export interface PreviewPorts extends DrawPorts {
  previews: Pick<PreviewStore, 'add' | 'refuseFull'>
  /** Where the pages are served. Asked at each call: before listening it is unknown. */
  publicUrl: () => string
  /** How long a page can be opened, in milliseconds. Default 24 hours. */
  ttlMs?: number
  /** Takes still pictures. Default: there is no browser, and who asks for one is refused. */
  drawStills?: DrawStills | undefined
}

export interface PreviewWish extends DrawCall {
  /** One for each creative, as in a batch of preview_creative. */
  requests: readonly unknown[]
  /** Whose quota they count for. */
  principalId: string
  /** Files at addresses where they are stored only with what is previewed. */
  files?: StillCall['files']
}

/** Drawn and named, and stored nowhere yet. One creative that is bad does not fail the others. */
export interface PreparedPreviews {
  /** In the order of the requests. */
  outcomes: readonly ({ ok: true } | Refused)[]
  /** Stores all of them, and says how they are shown. May be run again, as `Transact` says. */
  commit(tx: Transaction): Promise<CommittedPreviews>
}

interface Refused {
  ok: false
  errors: readonly TaskError[]
}

interface CommittedPreviews {
  /** In the order of the requests. */
  creatives: readonly ({ ok: true; shown: ShownCreative } | Refused)[]
  expires_at: string
}

interface ShownCreative {
  previews: Preview[]
  interactive_url: string
  expires_at: string
  /** What is not in the pictures. */
  notes: readonly string[]
}

/** Throws QUOTA_EXCEEDED, here or at the commit, for whoever has too many of them. */
export type MakePreviews = (wish: PreviewWish) => Promise<PreparedPreviews>

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
          one.ok ? { ok: one.ok, shown: shownItem(one.item, publicUrl, expires_at) } : one,
        )
        return { creatives, expires_at }
      },
    }
  }
}

/** With the addresses that it gets in this call; what was drawn may be shown in many. */
interface NamedItem extends Omit<DrawnItem, 'previews'> {
  previews: (Omit<DrawnPreview, 'pages'> & { pages: NamedPage[] })[]
  interactive: NewPreview
  notes: readonly string[]
}

interface NamedPage extends DrawnPage {
  preview_id: string
  still: TakenStill | undefined
}

function named(item: DrawnItem, { stills, notes }: Pictured): NamedItem {
  return {
    ...item,
    previews: item.previews.map(({ input, pages }) => ({
      input,
      pages: pages.map((page) => ({
        ...page,
        preview_id: randomUUID(),
        still: stills.get(page),
      })),
    })),
    interactive: { preview_id: randomUUID(), body: item.recipe },
    notes,
  }
}

/** Everything at once, so that a batch costs the database as much as one creative. */
async function store(
  { previews, ttlMs = PREVIEW_TTL_MS }: PreviewPorts,
  items: readonly NamedItem[],
  { tx, owner }: { tx: Transaction; owner: string },
): Promise<string> {
  const added: NewPreview[] = items.flatMap((item) => [
    ...(item.output === 'html' ? [] : item.previews.flatMap(({ pages }) => pages.map(storedOf))),
    item.interactive,
  ])
  return new Date(await previews.add(tx, added, { ttlMs, owner })).toISOString()
}

function storedOf({ preview_id, body, still }: NamedPage): NewPreview {
  return { preview_id, body: still?.body ?? body }
}

function shownItem(
  { format_id, output, previews, interactive, notes }: NamedItem,
  publicUrl: string,
  expires_at: string,
): ShownCreative {
  return {
    previews: previews.map((one) => ({ ...shownPreview(one, output, publicUrl), format_id })),
    interactive_url: `${publicUrl}/previews/${interactive.preview_id}/interactive`,
    expires_at,
    notes,
  }
}

function shownPreview(
  { input, pages }: NamedItem['previews'][number],
  output: DrawnItem['output'],
  publicUrl: string,
): Preview {
  const renders = pages.map((page): PreviewRender => {
    const { preview_id, role, hasFrame, body, still } = page
    const { width, height } = still ?? page
    const isSized = width !== undefined && height !== undefined
    const sandbox = { recommended_sandbox: recommendedSandbox(hasFrame), csp_policy: body.csp }
    return {
      render_id: preview_id,
      output_format: output,
      ...defined({
        preview_url:
          output === 'html'
            ? undefined
            : `${publicUrl}/previews/${preview_id}${still ? '.png' : ''}`,
        preview_html: output === 'html' || output === 'both' ? body.text : undefined,
      }),
      role,
      ...defined({
        dimensions: isSized ? { width, height } : undefined,
        // A picture is embedded as a picture.
        embedding: still ? undefined : sandbox,
      }),
    }
  })
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
