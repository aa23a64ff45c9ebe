// What a call to build or preview costs outside the worker pool, which limits the drawing itself: reading the manifests,
// and writing and returning one entry for each format, variant and input.

import { charsAsJson } from '../lib/json-size.ts'
import type { BuildCreativeRequest } from '../protocol/schemas/build-creative.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { PreviewCreativeRequest } from '../protocol/schemas/preview-creative.ts'
import type { TaskCost } from '../protocol/task.ts'
import { MAX_BUILT_VARIANTS } from './limits.ts'

const KIB = 1_024
/** More than any call that the schemas accept. */
const LIMIT = 60_000

/** Units for each manifest that is built, and for each of its previews. */
const BUILD = { call: 100, manifest: 10, preview: 1 } as const

export const buildCost: TaskCost<BuildCreativeRequest> = {
  grows: 'formats × variants × previews, and kilobytes of the request',
  limit: LIMIT,
  estimate: (request) => {
    const { target_format_ids, target_capability_ids, max_variants = 1 } = request
    const formats = (target_format_ids ?? target_capability_ids)?.length ?? 1
    const manifests = formats * Math.min(max_variants, MAX_BUILT_VARIANTS)
    const previews = request.include_preview ? Math.max(1, request.preview_inputs?.length ?? 0) : 0
    const each = BUILD.manifest + BUILD.preview * previews
    return BUILD.call + charsAsJson(request) / KIB + manifests * each
  },
  reduce: {
    field: '/target_format_ids',
    advice: 'Send fewer target_format_ids, max_variants or preview_inputs.',
  },
}

/** Units for each page that is stored and returned. */
const PREVIEW = { call: 50, page: 10 } as const

export const previewCost: TaskCost<PreviewCreativeRequest> = {
  grows: 'creatives × inputs, and kilobytes of the request',
  limit: LIMIT,
  estimate: (request) => {
    const items = request.request_type === 'batch' ? (request.requests ?? []) : [request]
    const pages = items.reduce<number>((sum, item) => sum + pagesOf(item), 0)
    return PREVIEW.call + charsAsJson(request) / KIB + PREVIEW.page * pages
  },
  reduce: { field: '/requests', advice: 'Send fewer requests or inputs in one batch.' },
}

/** Entries of a batch are checked later, one by one. */
function pagesOf(item: unknown): number {
  const inputs = isObject(item) ? item.inputs : undefined
  return Array.isArray(inputs) ? Math.max(1, inputs.length) : 1
}
