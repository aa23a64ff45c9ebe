// The receiver in Express: `app.post('/hooks/:route', expressHandler(receiver))`, ahead of every body
// parser.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AdapterOptions, answer, type Receiving } from './node.ts'
import { lastSegment } from './request-url.ts'

/** What is used of Express's request: its own type would ask every user for Express. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl: string
  params: Record<string, string | string[]>
}

export function expressHandler<Request extends ExpressRequest = ExpressRequest>(
  receiver: Receiving,
  {
    route = ({ originalUrl }) => lastSegment(originalUrl),
    ...urlOptions
  }: AdapterOptions<Request> = {},
): (request: Request, response: ServerResponse) => Promise<void> {
  return (request, response) =>
    answer(receiver, request, response, {
      ...urlOptions,
      route: typeof route === 'string' ? route : () => route(request),
      // A router that is mounted somewhere cuts `url` short.
      target: request.originalUrl,
    })
}
