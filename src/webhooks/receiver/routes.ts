// The registrations that a receiver accepts (spec 2.9, 5): the route name of a delivery, and how it must be secured.
// A route never determines the content of its deliveries.

import type { Maybe } from '../../signing/ports.ts'
import { faultOfToken } from '../schemes/bearer.ts'
import { faultOfSecret } from '../schemes/hmac.ts'

interface AnyRoute {
  /** Unique among the routes. */
  name: string
  /** The `token` of the registration, which every delivery must contain. Default: none. */
  token?: string
}

export interface SignedRoute extends AnyRoute {
  mode: 'rfc9421'
  /** The URL of the only agent with accepted keys. Default: any trusted seller's. */
  seller?: string
}

export interface HmacRoute extends AnyRoute {
  mode: 'HMAC-SHA256'
  secret: string
  /** The secret before the last change, and the time of that change in seconds. */
  previous?: { secret: string; changedAt: number }
  /**
   * The holder of the credential. With the seller's agent URL, its idempotency keys stay together when it moves to
   * RFC 9421. Default: the scheme and the name of the route.
   */
  sender?: string
}

export interface BearerRoute extends AnyRoute {
  mode: 'Bearer'
  credentials: string
  /** As for HMAC. */
  sender?: string
}

export type Route = SignedRoute | HmacRoute | BearerRoute

/** Finds a route by its name. */
export type RouteOf = (name: string) => Maybe<Route | undefined>

/** Throws a TypeError for two routes with the same name, and for a secret that is too weak. */
export function routesByName(routes: readonly Route[]): RouteOf {
  const byName = new Map<string, Route>()
  for (const route of routes) {
    const fault = byName.has(route.name) ? 'its name is used twice' : faultOfRoute(route)
    if (fault) throw new TypeError(`the route ${JSON.stringify(route.name)}: ${fault}`)
    byName.set(route.name, route)
  }
  return (name) => byName.get(name)
}

function faultOfRoute(route: Route): string | undefined {
  if (route.name === '') return 'its name is empty'
  if (route.token === '') return 'its token is empty'
  if (route.mode === 'rfc9421') return undefined
  if (route.sender === '') return 'its sender is empty'
  if (route.mode === 'Bearer') return faultOfToken(route.credentials)
  const { secret, previous } = route
  return faultOfSecret(secret) ?? (previous && faultOfSecret(previous.secret))
}
