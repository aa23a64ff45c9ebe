// The receiver in Express: `app.post('/hooks/:route', expressHandler(receiver))`, before any body parser.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AdapterOptions, answer, type Receiving } from './node.ts'
import { lastSegment } from './request-url.ts'

/** The used part of Express's request: its own type would require every user to install Express. */
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
    answer(
      receiver,
      { request, response },
      {
        ...urlOptions,
        route: typeof route === 'string' ? route : () => route(request),
        // A mounted router shortens `url`.
        target: request.originalUrl,
      },
    )
}
