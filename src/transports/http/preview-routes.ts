// `/previews/{id}`: the pages that preview_creative returns (spec 2.5). Each has the policy it was drawn for.
// Anyone with the URL can open them; they set no cookie and may be embedded in any frame.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type {
  PreviewPages,
  SerializedPage,
  SerializedStill,
  Viewer,
} from '../../creative/rendering/show-preview.ts'
import { goneSignal } from '../call-source.ts'
import { countAs } from './count-as.ts'
import { sendFault } from './errors.ts'
import { unchecked } from './unchecked.ts'

const tags = ['Previews']

/** The query parameters other than the values of macros. */
const ROLE = 'role'
const MAX_VALUE_CHARS = 4_096

export interface PreviewRouteOptions {
  /** The owner of a key. Default: no keys are accepted. */
  principalOf?: (authorization: string) => Promise<{ principal_id: string } | undefined>
}

export function previewRoutes(pages: PreviewPages, { principalOf }: PreviewRouteOptions = {}) {
  /** A key is optional. With one, drawing does not wait for requests without. */
  const identify = async (request: FastifyRequest) => {
    const { authorization } = request.headers
    const principal = authorization ? await principalOf?.(authorization) : undefined
    if (principal) countAs(request, principal.principal_id)
  }
  return (app: FastifyInstance): void => {
    const add = (
      path: string,
      [operationId, summary]: [string, string],
      show: (id: string, query: Record<string, unknown>, viewer: Viewer) => Promise<SerializedPage>,
    ) =>
      app.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
        path,
        {
          onRequest: identify,
          validatorCompiler: unchecked,
          schema: { operationId, summary, tags },
        },
        async (request, reply) => {
          const { account, hasKey } = request
          const viewer = { account, hasKey, signal: goneSignal(reply) }
          return sendPage(reply, await show(request.params.id, request.query, viewer))
        },
      )
    add('/previews/:id', ['getPreview', 'A preview as a page'], (id) => pages.page(id))
    app.get<{ Params: { id: string } }>(
      '/previews/:id.png',
      {
        validatorCompiler: unchecked,
        schema: { operationId: 'getPreviewStill', summary: 'A preview as a PNG', tags },
      },
      async (request, reply) => sendStill(reply, await pages.still(request.params.id)),
    )
    add(
      '/previews/:id/interactive',
      ['getInteractivePreview', 'A page on which macros and size can be changed'],
      (id, _query, viewer) => pages.interactive(id, viewer),
    )
    add(
      '/previews/:id/render',
      ['renderPreview', 'The preview with other values of its macros, given as parameters'],
      (id, query, viewer) =>
        pages.render(id, { role: roleOf(query[ROLE]), macros: valuesOf(query) }, viewer),
    )
  }
}

function sendPage(reply: FastifyReply, page: SerializedPage): FastifyReply {
  if (!page.ok) return sendFault(reply.header('cache-control', 'no-store'), page)
  return reply
    .headers({
      'content-security-policy': page.csp,
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex',
      'x-dns-prefetch-control': 'off',
    })
    .type('text/html; charset=utf-8')
    .send(page.html)
}

/** Rendered from content that others wrote, so it is only a picture, wherever it is opened. */
function sendStill(reply: FastifyReply, still: SerializedStill): FastifyReply {
  if (!still.ok) return sendFault(reply.header('cache-control', 'no-store'), still)
  return reply
    .headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=300',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .type('image/png')
    .send(Buffer.from(still.bytes))
}

function roleOf(value: unknown): number {
  return typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0
}

/** A parameter that is given twice counts as missing. */
function valuesOf({ [ROLE]: _, ...others }: Record<string, unknown>): Record<string, string> {
  const values = Object.entries(others).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1].length <= MAX_VALUE_CHARS,
  )
  return Object.fromEntries(values)
}
