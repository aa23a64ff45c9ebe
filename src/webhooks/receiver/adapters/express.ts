// The receiver in Express: `app.post('/hooks/:route', expressHandler(receiver))`, ahead of every body
// parser.

import type { Request, Response } from 'express'
import { type AdapterOptions, answer, type Receiving } from './node.ts'
import { lastSegment } from './request-url.ts'

export function expressHandler(
  receiver: Receiving,
  {
    route = ({ originalUrl }) => lastSegment(originalUrl),
    ...urlOptions
  }: AdapterOptions<Request> = {},
): (request: Request, response: Response) => Promise<void> {
  return (request, response) =>
    answer(receiver, request, response, {
      ...urlOptions,
      route: typeof route === 'string' ? route : route(request),
      // A router that is mounted somewhere cuts `url` short.
      target: request.originalUrl,
    })
}
