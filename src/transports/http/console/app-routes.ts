// `/console/`: the app, for every path below it, and its files.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppFile, AppFiles } from './app-files.ts'
import { consoleHeaders, pageHeaders } from './headers.ts'
import { pagesOf } from './prefetch.ts'

const OPTIONS = {
  onRequest: consoleHeaders,
  schema: { hide: true },
  config: { quiet: true },
} as const

export function appRoutes(files: AppFiles | undefined, publicUrl: () => string) {
  const pageOptions = { ...OPTIONS, onRequest: pageHeaders(publicUrl) }
  return (app: FastifyInstance): void => {
    const pageOf = files && pagesOf(files)
    const page = (request: FastifyRequest, reply: FastifyReply) =>
      pageOf ? sendFile(request, reply, pageOf(request)) : sendNotBuilt(reply)
    app.get('/console', OPTIONS, (_request, reply) => reply.redirect('/console/', 308))
    app.get('/console/', pageOptions, page)
    app.get('/console/*', pageOptions, page)
    app.get('/console/assets/:name', OPTIONS, (request, reply) => {
      const { name } = request.params as { name: string }
      const file = files?.assets.get(name)
      if (!file) return sendMissing(reply)
      // The name contains a digest of the file.
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendFile(request, reply, file)
    })
  }
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type, gzip }: AppFile,
): FastifyReply {
  reply.type(type).header('vary', 'accept-encoding')
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (!gzip || !takesGzip) return reply.send(body)
  return reply.header('content-encoding', 'gzip').send(gzip)
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .type('text/plain; charset=utf-8')
    .send('No such file: the console was updated. Reload the page.\n')
}

/** The package has the app; a checkout has it once it was built. */
function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
}

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Adwire console</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code> in the checkout of Adwire, and start the server again.</p>
<p>Its API answers under <code>/console/api/</code> meanwhile.</p>
</html>
`
