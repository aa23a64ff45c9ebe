// `preview_creative`: what a creative looks like, as pages or markup (spec 2.5, 4.2). A batch is drawn together and
// stored in one transaction; one invalid request in it does not make the others fail.

import { defined } from '../lib/defined.ts'
import type { Transact } from '../lib/transaction.ts'
import { agentUrls } from '../protocol/agent-url.ts'
import { ManyErrors, ProtocolError, type TaskError } from '../protocol/errors.ts'
import { writtenBy } from '../protocol/own-json.ts'
import { hasFeature } from '../protocol/releases/releases.ts'
import {
  formatIdRefusal,
  NEWER_MEMBERS,
  previewCreativeRequires,
} from '../protocol/schemas/generation-rules.ts'
import {
  type PreviewCreativeRequest,
  type PreviewCreativeResponse,
  previewCreativeRequest,
  previewCreativeResponse,
} from '../protocol/schemas/preview-creative.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { callerOf } from './caller-of.ts'
import { previewCost } from './drawing-cost.ts'
import { MAX_REQUEST_BYTES } from './limits.ts'
import type { MakePreviews, PreviewJob } from './rendering/make-previews.ts'
import { writeBatch } from './rendering/write-batch.ts'

export interface PreviewCreativePorts {
  makePreviews: MakePreviews
  transact: Transact
  /** Read at each call: it is unknown until the server listens. */
  publicUrl: () => string
  /** Other URLs by which format ids may refer to this server; `*` matches any. */
  ownAgentUrls: readonly string[]
}

export function previewCreative(
  ports: PreviewCreativePorts,
): Task<PreviewCreativeRequest, PreviewCreativeResponse> {
  return defineTask({
    name: 'preview_creative',
    summary: 'What a creative, or a batch of them, looks like: pages to open, markup, or pictures',
    area: 'creative',
    access: 'tasks',
    changes: false,
    newerMembers: NEWER_MEMBERS.preview_creative,
    alsoRequired: previewCreativeRequires,
    bodyLimitBytes: MAX_REQUEST_BYTES,
    request: previewCreativeRequest,
    response: previewCreativeResponse,
    refusalFor: formatIdRefusal,
    cost: previewCost,
    handle: async (request, call) => {
      if (request.request_type === 'variant') throw noVariants()
      const answer =
        request.request_type === 'batch'
          ? await answerBatch(ports, request, call)
          : await answerSingle(ports, request, call)
      const { quality } = request
      const whole = quality === undefined ? answer : { ...answer, quality_used: quality }
      return whole.results ? writtenBy(whole, writeBatch) : whole
    },
  })
}

interface Requested
  extends Pick<PreviewCreativeRequest, 'output_format' | 'request_type' | 'quality'> {
  /** One for each creative. */
  requests: readonly unknown[]
}

function preferenceOf(
  { requests, output_format = 'url', request_type, quality }: Requested,
  { calledOn, principal, account, signal, version }: CallContext,
  ports: PreviewCreativePorts,
): PreviewJob {
  return {
    requests,
    principalId: principal?.principal_id ?? '',
    ownAgentUrls: agentUrls(ports, calledOn),
    output: output_format,
    quality,
    isNewer: hasFeature(version, 'canonical_slots'),
    isShaped: request_type === 'single',
    by: { owner: callerOf({ principal, account }), signal },
  }
}

function noVariants(): ProtocolError {
  return new ProtocolError(
    'UNSUPPORTED_FEATURE',
    'this agent serves no variants: use request_type single or batch',
    { field: '/request_type' },
  )
}

async function answerSingle(
  ports: PreviewCreativePorts,
  request: PreviewCreativeRequest,
  call: CallContext,
): Promise<PreviewCreativeResponse> {
  const { format_id, target_capability_id, creative_manifest, inputs } = request
  const { output_format, item_limit, quality } = request
  const named = { format_id, ...defined({ target_capability_id }), creative_manifest }
  const wanted = { ...named, inputs, output_format, item_limit, quality }
  const prepared = await ports.makePreviews(
    preferenceOf({ ...request, requests: [wanted] }, call, ports),
  )
  const [outcome] = prepared.outcomes
  if (outcome && !outcome.ok) throw new ManyErrors(outcome.errors as [TaskError, ...TaskError[]])
  const [committed] = (await ports.transact(prepared.commit)).creatives
  if (!committed?.ok) throw new Error('a creative was drawn but is not returned')
  const { notes, ...returned } = committed.returned
  return { response_type: 'single', ...returned, ...noted(notes) }
}

/** What is missing in the pictures, if anything. */
function noted(notes: readonly string[]): Pick<PreviewCreativeResponse, 'ext'> {
  return notes.length > 0 ? { ext: { preview_notes: notes } } : {}
}

type Result = NonNullable<PreviewCreativeResponse['results']>[number]

async function answerBatch(
  ports: PreviewCreativePorts,
  request: PreviewCreativeRequest,
  call: CallContext,
): Promise<PreviewCreativeResponse> {
  const { requests = [], quality } = request
  const { version } = call
  const prepared = await ports.makePreviews(preferenceOf({ ...request, requests }, call, ports))
  const { creatives, expires_at } = await ports.transact(prepared.commit)
  const notes: string[] = []
  const results = creatives.map((creative, request_index): Result => {
    const own = ownOf(requests[request_index], request_index, { quality, version })
    if (!creative.ok) {
      const { quality_used: _unused, ...named } = own
      return { success: false, ...named, ...reported(creative.errors) }
    }
    const { notes: missing, ...returned } = creative.returned
    notes.push(...missing.map((note) => `requests/${request_index}: ${note}`))
    const previews = returned.previews.map((one) => ({ ...one, request_index }))
    return { success: true, ...own, response: { ...returned, previews } }
  })
  const previews = results.flatMap(({ response }) => response?.previews ?? [])
  return { response_type: 'batch', previews, results, expires_at, ...noted(notes) }
}

type Own = Pick<Result, 'creative_id' | 'quality_used'>

/** In 3.x every result identifies its creative, and the drawing quality if it was requested. */
function ownOf(
  item: unknown,
  index: number,
  {
    quality: ofAll,
    version,
  }: Pick<PreviewCreativeRequest, 'quality'> & Pick<CallContext, 'version'>,
): Own {
  const { creative_id, quality = ofAll } = (item ?? {}) as { creative_id?: unknown } & Pick<
    PreviewCreativeRequest,
    'quality'
  >
  const own = typeof creative_id === 'string' && creative_id !== '' ? { creative_id } : undefined
  if (!hasFeature(version, 'named_rows')) return own ?? {}
  return { creative_id: `request_${index}`, ...own, ...defined({ quality_used: quality }) }
}

function reported(errors: readonly TaskError[]): Pick<Result, 'error' | 'errors'> {
  const [first] = errors
  return {
    ...defined({ error: first ? { code: first.code, message: first.message } : undefined }),
    errors: [...errors],
  }
}
