// `preview_creative`: what a creative looks like, as pages or markup (spec 2.5, 4.2). A batch is drawn
// together and stored in one transaction; one bad request of it does not fail the others.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { Transact } from '../lib/transaction.ts'
import { ProtocolError, type TaskError, taskError } from '../protocol/errors.ts'
import { checkShape } from '../protocol/schemas/issues.ts'
import type { Preview, PreviewRender } from '../protocol/schemas/preview.ts'
import {
  type PreviewCreativeRequest,
  type PreviewCreativeResponse,
  previewCreativeItem,
  previewCreativeRequest,
  previewCreativeResponse,
} from '../protocol/schemas/preview-creative.ts'
import { formatIdRefusal, NEWER_MEMBERS } from '../protocol/schemas/seed-rules.ts'
import { defineTask, type Task } from '../protocol/task.ts'
import type { FormatCatalogue } from './format-catalogue.ts'
import { type NewPreview, PREVIEW_TTL_MS, type PreviewStore } from './preview-store.ts'
import {
  type DrawContext,
  type DrawItemPorts,
  type DrawnItem,
  type DrawnPreview,
  drawItem,
  MAX_CALL_CHARS,
} from './rendering/draw-item.ts'
import { recommendedSandbox } from './rendering/policy.ts'
import { createRenderCache } from './rendering/render-cache.ts'

export interface PreviewCreativePorts {
  catalogue: FormatCatalogue
  previews: Pick<PreviewStore, 'add' | 'refuseFull'>
  transact: Transact
  /** Where the pages are served. Asked at each call: before listening it is unknown. */
  publicUrl: () => string
  /** Further URLs by which format ids may name this server; `*` is any. */
  ownAgentUrls: readonly string[]
  /** Fetches VAST and DAAST tags. Default: none is fetched. */
  egress?: Pick<Egress, 'fetch'>
  /** Hosts that markup and scripts of a creative may load from. Default none. */
  allowHosts?: readonly string[]
  /** How long a page can be opened, in milliseconds. Default 24 hours. */
  ttlMs?: number
  /** Hears of what went wrong in one request of a batch and should not have. */
  onFault: (error: unknown) => void
}

/** Manifests may hold their assets. */
const BODY_LIMIT_BYTES = 10 * 1_024 * 1_024

export function previewCreative(
  ports: PreviewCreativePorts,
): Task<PreviewCreativeRequest, PreviewCreativeResponse> {
  const { catalogue, egress, allowHosts } = ports
  const drawing = { catalogue, egress, allowHosts, cache: createRenderCache() }
  return defineTask({
    name: 'preview_creative',
    summary: 'What a creative, or a batch of them, looks like: pages to open, or markup',
    area: 'creative',
    access: 'tasks',
    changes: false,
    newerMembers: NEWER_MEMBERS.preview_creative,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    request: previewCreativeRequest,
    response: previewCreativeResponse,
    refusalFor: formatIdRefusal,
    handle: async (request, { calledOn, signal, principal }) => {
      const owner = principal?.principal_id ?? ''
      await ports.previews.refuseFull(owner)
      const urls = [ports.publicUrl(), calledOn]
      const context: DrawContext = {
        // The agent is also known by the addresses of its wires.
        ownAgentUrls: [
          ...urls.flatMap((url) => [url, `${url}/mcp`, `${url}/a2a`]),
          ...ports.ownAgentUrls,
        ],
        output: request.output_format ?? 'url',
        signal,
        breathe: createBreath(),
        budget: { chars: MAX_CALL_CHARS },
      }
      if (request.request_type === 'variant') throw noVariants()
      const answer =
        request.request_type === 'batch'
          ? await answerBatch(ports, drawing, request.requests ?? [], { ...context, owner })
          : await answerSingle(ports, await drawItem(drawing, request, context), owner)
      return request.quality === undefined ? answer : { ...answer, quality_used: request.quality }
    },
  })
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
  item: DrawnItem,
  owner: string,
): Promise<PreviewCreativeResponse> {
  const expires_at = await store(ports, [item], owner)
  return { response_type: 'single', ...shownItem(item, ports.publicUrl(), { expires_at }) }
}

type Outcome = { ok: true; item: DrawnItem } | { ok: false; errors: readonly TaskError[] }
type Result = NonNullable<PreviewCreativeResponse['results']>[number]

async function answerBatch(
  ports: PreviewCreativePorts,
  drawing: DrawItemPorts,
  requests: readonly unknown[],
  context: DrawContext & { owner: string },
): Promise<PreviewCreativeResponse> {
  const outcomes = await Promise.all(
    requests.map((request) => drawOne(ports, drawing, request, context)),
  )
  const items = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.item] : []))
  const expires_at = await store(ports, items, context.owner)
  const publicUrl = ports.publicUrl()
  const results = outcomes.map((outcome, request_index): Result => {
    const { creative_id } = (requests[request_index] ?? {}) as { creative_id?: unknown }
    const named = typeof creative_id === 'string' && creative_id !== '' ? { creative_id } : {}
    if (!outcome.ok) return { success: false, ...named, ...told(outcome.errors) }
    const response = shownItem(outcome.item, publicUrl, { expires_at, request_index })
    return { success: true, ...named, response }
  })
  const previews = results.flatMap(({ response }) => response?.previews ?? [])
  return { response_type: 'batch', previews, results, expires_at }
}

async function drawOne(
  { onFault }: PreviewCreativePorts,
  drawing: DrawItemPorts,
  request: unknown,
  context: DrawContext,
): Promise<Outcome> {
  await context.breathe()
  const shape = checkShape(previewCreativeItem, request)
  if (!shape.ok) {
    const { issues } = shape
    const [first] = issues
    const message = `${first?.pointer ?? ''}: ${first?.message ?? 'this is no request'}`
    return {
      ok: false,
      errors: [taskError(formatIdRefusal(issues) ?? 'INVALID_REQUEST', message, { issues })],
    }
  }
  try {
    return { ok: true, item: await drawItem(drawing, shape.value, context) }
  } catch (error) {
    if (error instanceof ProtocolError) return { ok: false, errors: error.errors }
    onFault(error)
    const message = 'this creative could not be drawn'
    return { ok: false, errors: [taskError('SERVICE_UNAVAILABLE', message)] }
  }
}

/** Lets other callers be served once this call has drawn for a while, all of its requests together. */
function createBreath(turnMs = 15): () => Promise<void> {
  let began = performance.now()
  let pause: Promise<void> | undefined
  const take = async () => {
    await nextTurn()
    began = performance.now()
    pause = undefined
  }
  return async () => {
    while (pause || performance.now() - began > turnMs) {
      pause ??= take()
      await pause
    }
  }
}

/** Everything in one transaction, so that a batch costs the database as much as one creative. */
async function store(
  { previews, transact, ttlMs = PREVIEW_TTL_MS }: PreviewCreativePorts,
  items: readonly DrawnItem[],
  owner: string,
): Promise<string> {
  const added: NewPreview[] = items.flatMap((item) => [
    ...(item.output === 'html' ? [] : item.previews.flatMap(({ pages }) => pages)),
    item.interactive,
  ])
  const expiresAt = await transact((tx) => previews.add(tx, added, { ttlMs, owner }))
  return new Date(expiresAt).toISOString()
}

function shownItem(
  { format_id, output, previews, interactive }: DrawnItem,
  publicUrl: string,
  { expires_at, request_index }: { expires_at: string; request_index?: number },
) {
  return {
    previews: previews.map((preview) => {
      const shown = shownPreview(preview, output, publicUrl)
      return { ...shown, format_id, ...(request_index === undefined ? {} : { request_index }) }
    }),
    interactive_url: `${publicUrl}/previews/${interactive.preview_id}/interactive`,
    expires_at,
  }
}

function shownPreview(
  { input, pages }: DrawnPreview,
  output: DrawnItem['output'],
  publicUrl: string,
): Preview {
  const renders = pages.map(({ preview_id, rendered }): PreviewRender => {
    const { role, width, height, html, csp, hasFrame } = rendered
    const isSized = width !== undefined && height !== undefined
    return {
      render_id: preview_id,
      output_format: output,
      ...(output === 'html' ? {} : { preview_url: `${publicUrl}/previews/${preview_id}` }),
      ...(output === 'url' ? {} : { preview_html: html }),
      role,
      ...(isSized ? { dimensions: { width, height } } : {}),
      embedding: { recommended_sandbox: recommendedSandbox(hasFrame), csp_policy: csp },
    }
  })
  const [first] = renders
  const { name, macros, context_description } = input
  return {
    preview_id: first?.render_id ?? '',
    ...(first?.preview_url === undefined ? {} : { preview_url: first.preview_url }),
    ...(first?.preview_html === undefined ? {} : { preview_html: first.preview_html }),
    input: {
      name,
      ...(macros === undefined ? {} : { macros }),
      ...(context_description === undefined ? {} : { context_description }),
    },
    renders,
  }
}

function told(errors: readonly TaskError[]): Pick<Result, 'error' | 'errors'> {
  const [first] = errors
  return {
    ...(first ? { error: { code: first.code, message: first.message } } : {}),
    errors: [...errors],
  }
}
