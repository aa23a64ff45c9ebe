// `preview_creative`: what a creative looks like, as pages or markup (spec 2.5, 4.2). A batch is drawn
// together and stored in one transaction; one bad request of it does not fail the others.

import { randomUUID } from 'node:crypto'
import { defined } from '../lib/defined.ts'
import type { Transact } from '../lib/transaction.ts'
import { agentUrlsAt } from '../protocol/agent-url.ts'
import { ManyErrors, ProtocolError, type TaskError } from '../protocol/errors.ts'
import { formatIdRefusal, NEWER_MEMBERS } from '../protocol/schemas/generation-rules.ts'
import type { Preview, PreviewRender } from '../protocol/schemas/preview.ts'
import {
  type PreviewCreativeRequest,
  type PreviewCreativeResponse,
  previewCreativeRequest,
  previewCreativeResponse,
} from '../protocol/schemas/preview-creative.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { callerOf } from './caller-of.ts'
import { MAX_REQUEST_BYTES } from './limits.ts'
import { type NewPreview, PREVIEW_TTL_MS, type PreviewStore } from './preview-store.ts'
import type { DrawnItem, DrawnPage, DrawnPreview } from './rendering/draw-items.ts'
import {
  createDrawPreviews,
  type DrawCall,
  type DrawPorts,
  type DrawPreviews,
} from './rendering/draw-previews.ts'
import { recommendedSandbox } from './rendering/policy.ts'

export interface PreviewCreativePorts extends DrawPorts {
  previews: Pick<PreviewStore, 'add' | 'refuseFull'>
  transact: Transact
  /** Where the pages are served. Asked at each call: before listening it is unknown. */
  publicUrl: () => string
  /** Further URLs by which format ids may name this server; `*` is any. */
  ownAgentUrls: readonly string[]
  /** How long a page can be opened, in milliseconds. Default 24 hours. */
  ttlMs?: number
}

export function previewCreative(
  ports: PreviewCreativePorts,
): Task<PreviewCreativeRequest, PreviewCreativeResponse> {
  const draw = createDrawPreviews(ports)
  return defineTask({
    name: 'preview_creative',
    summary: 'What a creative, or a batch of them, looks like: pages to open, or markup',
    area: 'creative',
    access: 'tasks',
    changes: false,
    newerMembers: NEWER_MEMBERS.preview_creative,
    bodyLimitBytes: MAX_REQUEST_BYTES,
    request: previewCreativeRequest,
    response: previewCreativeResponse,
    refusalFor: formatIdRefusal,
    handle: async (request, call) => {
      await ports.previews.refuseFull(call.principal?.principal_id ?? '')
      if (request.request_type === 'variant') throw noVariants()
      const answer =
        request.request_type === 'batch'
          ? await answerBatch(ports, draw, request, call)
          : await answerSingle(ports, draw, request, call)
      return request.quality === undefined ? answer : { ...answer, quality_used: request.quality }
    },
  })
}

function drawCall(
  { publicUrl, ownAgentUrls }: PreviewCreativePorts,
  { output_format = 'url', request_type }: PreviewCreativeRequest,
  { calledOn, principal, account, signal }: CallContext,
): DrawCall {
  return {
    ownAgentUrls: [...agentUrlsAt([publicUrl(), calledOn]), ...ownAgentUrls],
    output: output_format,
    isShaped: request_type === 'single',
    by: { owner: callerOf({ principal, account }), signal },
  }
}

function noVariants(): ProtocolError {
  return new ProtocolError(
    'UNSUPPORTED_FEATURE',
    'this agent serves no variants, so it has none to show: use request_type single or batch',
    { field: '/request_type' },
  )
}

async function answerSingle(
  ports: PreviewCreativePorts,
  draw: DrawPreviews,
  request: PreviewCreativeRequest,
  call: CallContext,
): Promise<PreviewCreativeResponse> {
  const { format_id, creative_manifest, inputs, output_format, item_limit } = request
  const wanted = { format_id, creative_manifest, inputs, output_format, item_limit }
  const [outcome] = await draw([wanted], drawCall(ports, request, call))
  if (!outcome?.ok) throw new ManyErrors(outcome?.errors as [TaskError, ...TaskError[]])
  const item = named(outcome.item)
  const expires_at = await store(ports, [item], call)
  return { response_type: 'single', ...shownItem(item, ports.publicUrl(), { expires_at }) }
}

type Result = NonNullable<PreviewCreativeResponse['results']>[number]

async function answerBatch(
  ports: PreviewCreativePorts,
  draw: DrawPreviews,
  request: PreviewCreativeRequest,
  call: CallContext,
): Promise<PreviewCreativeResponse> {
  const { requests = [] } = request
  const drawn = await draw(requests, drawCall(ports, request, call))
  const outcomes = drawn.map((one) => (one.ok ? { ok: one.ok, item: named(one.item) } : one))
  const items = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.item] : []))
  const expires_at = await store(ports, items, call)
  const publicUrl = ports.publicUrl()
  const results = outcomes.map((outcome, request_index): Result => {
    const { creative_id } = (requests[request_index] ?? {}) as { creative_id?: unknown }
    const own = typeof creative_id === 'string' && creative_id !== '' ? { creative_id } : {}
    if (!outcome.ok) return { success: false, ...own, ...told(outcome.errors) }
    const response = shownItem(outcome.item, publicUrl, { expires_at, request_index })
    return { success: true, ...own, response }
  })
  const previews = results.flatMap(({ response }) => response?.previews ?? [])
  return { response_type: 'batch', previews, results, expires_at }
}

/** With the addresses that it gets in this call; what was drawn may be shown in many. */
interface NamedItem extends Omit<DrawnItem, 'previews'> {
  previews: (Omit<DrawnPreview, 'pages'> & { pages: (DrawnPage & { preview_id: string })[] })[]
  interactive: NewPreview
}

function named(item: DrawnItem): NamedItem {
  return {
    ...item,
    previews: item.previews.map(({ input, pages }) => ({
      input,
      pages: pages.map((page) => ({ ...page, preview_id: randomUUID() })),
    })),
    interactive: { preview_id: randomUUID(), body: item.recipe },
  }
}

/** Everything in one transaction, so that a batch costs the database as much as one creative. */
async function store(
  { previews, transact, ttlMs = PREVIEW_TTL_MS }: PreviewCreativePorts,
  items: readonly NamedItem[],
  { principal }: CallContext,
): Promise<string> {
  const added: NewPreview[] = items.flatMap((item) => [
    ...(item.output === 'html' ? [] : item.previews.flatMap(({ pages }) => pages)),
    item.interactive,
  ])
  const owner = principal?.principal_id ?? ''
  const expiresAt = await transact((tx) => previews.add(tx, added, { ttlMs, owner }))
  return new Date(expiresAt).toISOString()
}

function shownItem(
  { format_id, output, previews, interactive }: NamedItem,
  publicUrl: string,
  { expires_at, request_index }: { expires_at: string; request_index?: number },
) {
  return {
    previews: previews.map((preview) => {
      const shown = shownPreview(preview, output, publicUrl)
      return { ...shown, format_id, ...defined({ request_index }) }
    }),
    interactive_url: `${publicUrl}/previews/${interactive.preview_id}/interactive`,
    expires_at,
  }
}

function shownPreview(
  { input, pages }: NamedItem['previews'][number],
  output: DrawnItem['output'],
  publicUrl: string,
): Preview {
  const renders = pages.map((page): PreviewRender => {
    const { preview_id, role, width, height, hasFrame, body } = page
    const isSized = width !== undefined && height !== undefined
    return {
      render_id: preview_id,
      output_format: output,
      ...defined({
        preview_url: output === 'html' ? undefined : `${publicUrl}/previews/${preview_id}`,
        preview_html: output === 'url' ? undefined : body.text,
      }),
      role,
      ...defined({ dimensions: isSized ? { width, height } : undefined }),
      embedding: { recommended_sandbox: recommendedSandbox(hasFrame), csp_policy: body.csp },
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

function told(errors: readonly TaskError[]): Pick<Result, 'error' | 'errors'> {
  const [first] = errors
  return {
    ...defined({ error: first ? { code: first.code, message: first.message } : undefined }),
    errors: [...errors],
  }
}
