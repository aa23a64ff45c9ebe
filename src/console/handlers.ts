// The handler types for each route of the table: a view's file provides the handlers of its routes, and a missing one
// does not compile.

import type { z } from 'zod'
import type { LINK_ROUTES } from './api/link-routes.ts'
import type { ConsoleRoutes, RouteName } from './api/routes.ts'
import type { Guest } from './links.ts'
import type { Visitor } from './sessions.ts'

type LinkRoute = keyof typeof LINK_ROUTES
/** The routes that a view answers; signing in and out belongs to the transport, since it uses cookies. */
export type ViewRoute = Exclude<RouteName, 'signIn' | 'getSession' | 'signOut' | LinkRoute>

/** The routes of a buyer's page, except for opening and closing it. */
export type LinkViewRoute = Exclude<LinkRoute, 'openLink' | 'getLink' | 'closeLink'>

type Part<Route, Name extends string> =
  Route extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined

/** A request that was validated against its schemas. */
interface Requested<Name extends ViewRoute | LinkViewRoute> {
  params: Part<ConsoleRoutes[Name], 'params'>
  query: Part<ConsoleRoutes[Name], 'query'>
  body: Part<ConsoleRoutes[Name], 'body'>
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

/** Throws a Refused for what it cannot do. */
type Handler<Name extends ViewRoute | LinkViewRoute, By> = (
  requested: Requested<Name> & By,
) => Promise<z.input<ConsoleRoutes[Name]['response']>>

export type Handlers<Names extends ViewRoute = ViewRoute> = {
  [Name in Names]: Handler<Name, { visitor: Visitor }>
}

export type LinkHandlers = { [Name in LinkViewRoute]: Handler<Name, { guest: Guest }> }
