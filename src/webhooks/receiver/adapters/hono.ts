// The receiver in Hono: `app.all('/hooks/:route', honoHandler(receiver))`, on any runtime that streams
// request bodies.

import { type AdapterOptions, BODY_TAKEN, type Receiving } from './node.ts'
import { asSigned, lastSegment } from './request-url.ts'

/** The used part of Hono's context: its own type would require every user to install Hono. */
export interface HonoContext {
  req: { raw: Request; url: string; param(name: string): string | undefined }
  env: unknown
}

export function honoHandler<Context extends HonoContext = HonoContext>(
  receiver: Receiving,
  { route = ({ req }) => lastSegment(req.url), ...urlOptions }: AdapterOptions<Context> = {},
): (context: Context) => Promise<Response> {
  return async (context) => {
    const { raw } = context.req
    const body = await readStream(raw, receiver.maxBodyBytes)
    if (body === 'gone') return new Response(null, { status: 400 })
    if (body === 'taken') {
      const { status, headers } = BODY_TAKEN
      return new Response(BODY_TAKEN.body, { status, headers })
    }
    const reply = await receiver.receive({
      route: typeof route === 'string' ? route : () => route(context),
      method: raw.method,
      ...asSigned(requestOf(context), urlOptions),
      body,
    })
    const headers = new Headers(reply.headers)
    if (body === 'too-large') headers.set('connection', 'close')
    return new Response(reply.body, { status: reply.status, headers })
  }
}

/** Node's own request, when running on node: Hono's URL and headers have been through parsers. */
function requestOf({ req, env }: HonoContext) {
  const incoming = (env as Partial<NodeBindings> | undefined)?.incoming
  return {
    target: incoming?.url ?? req.url,
    isEncrypted: incoming ? incoming.socket.encrypted === true : req.url.startsWith('https:'),
    headers: incoming?.rawHeaders ?? [...req.raw.headers].flat(),
  }
}

/** As @hono/node-server binds them. */
interface NodeBindings {
  incoming: { url?: string; rawHeaders: string[]; socket: { encrypted?: boolean } }
}

async function readStream(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | 'too-large' | 'gone' | 'taken'> {
  if (Number(request.headers.get('content-length')) > maxBytes) return 'too-large'
  if (request.bodyUsed) return 'taken'
  if (!request.body) return new Uint8Array()
  if (request.body.locked) return 'taken'
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const read = await reader.read().catch(() => undefined)
    if (!read) return 'gone'
    if (read.done) return Buffer.concat(chunks, bytes)
    bytes += read.value.byteLength
    if (bytes > maxBytes) {
      // Not cancelled: that would end the connection before the response is sent.
      reader.releaseLock()
      return 'too-large'
    }
    chunks.push(read.value)
  }
}
