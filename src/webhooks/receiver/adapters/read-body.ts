// Reads the raw body of a node request, and not a byte beyond the limit (spec 8): a client that sends too much
// gets its response before the end of the body, not after.

import type { IncomingMessage } from 'node:http'

/** `gone`: the sender disconnected. `taken`: other code has read the stream, so no bytes are left. */
type ReadBody = Uint8Array | 'too-large' | 'gone' | 'taken'

export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> | ReadBody {
  if (Number(request.headers['content-length']) > maxBytes) return 'too-large'
  if (request.readableDidRead || request.readableEnded) return rawBodyOf(request)
  if (request.destroyed) return 'gone'
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const settle = (read: ReadBody) => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      // The listener stays, so that a late error is not uncaught.
      request.on('error', () => {})
      resolve(read)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) return void chunks.push(chunk)
      request.pause()
      settle('too-large')
    }
    const onEnd = () => settle(Buffer.concat(chunks, bytes))
    const onGone = () => settle('gone')
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

/** A parser that kept the raw bytes, such as express.raw, is fine. */
function rawBodyOf(request: IncomingMessage & { body?: unknown }): ReadBody {
  return request.body instanceof Uint8Array ? request.body : 'taken'
}
