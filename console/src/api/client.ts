// The calls of the API, typed by the table from which the server generates its routes. Only types are imported: the
// app contains no schema.

import type { z } from 'zod'
import type { ConsoleRoutes } from '../../../src/console/api/routes.ts'
import { type Answer, request } from './request.ts'

type Below<Path> = Path extends `/console/api${infer Rest}` ? Rest : never
type ByCall = {
  [Name in keyof ConsoleRoutes as `${ConsoleRoutes[Name]['method']} ${Below<ConsoleRoutes[Name]['path']>}`]: ConsoleRoutes[Name]
}

/** A method and a path below /console/api, such as `GET /deliveries/:delivery_id`. */
export type Call = keyof ByCall
export type AnswerOf<C extends Call> = z.output<ByCall[C]['response']>
type Part<C extends Call, Name extends string> =
  ByCall[C] extends Record<Name, infer Schema extends z.ZodType> ? z.input<Schema> : undefined

export interface CallParts<C extends Call> {
  params?: Part<C, 'params'>
  query?: Part<C, 'query'>
  body?: Part<C, 'body'>
  signal?: AbortSignal
}

/** Calls the API; errors are returned as values. Throws only if the signal was aborted. */
export function api<C extends Call>(
  call: C,
  { params, query, body, signal }: CallParts<C> = {},
): Promise<Answer<AnswerOf<C>>> {
  const [method = 'GET', path = ''] = call.split(' ')
  const given = (params ?? {}) as Record<string, unknown>
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(given[name])),
  )
  return request(method, `/console/api${filled}`, {
    ...(query !== undefined && { query: query as Record<string, string | undefined> }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  })
}
