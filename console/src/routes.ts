// The views: their paths, their place in the navigation, and the chunk that each is loaded from.

import type { ComponentType } from 'preact'
import type { IconName } from './parts/icon.tsx'

export type Params = Readonly<Record<string, string>>
export type View = ComponentType<{ params: Params }>

interface Route {
  /** Below /console; `:name` stands for one part. Where a stranger chooses it, no other path has a word in its place. */
  path: string
  load(): Promise<{ View: View }>
}

interface Place {
  title: string
  path: string
  icon: IconName
  /** `g` and then this letter goes there. */
  letter: string
}

/** The places by what they are about, in the order of the rail. */
export const GROUPS: readonly { title: string; places: readonly Place[] }[] = [
  {
    title: 'Webhooks',
    places: [
      { title: 'Overview', path: '/', icon: 'overview', letter: 'o' },
      { title: 'Deliveries', path: '/deliveries', icon: 'deliveries', letter: 'd' },
      { title: 'Endpoints', path: '/endpoints', icon: 'endpoints', letter: 'e' },
      { title: 'Received', path: '/received', icon: 'received', letter: 'i' },
      { title: 'Verify a webhook', path: '/verify', icon: 'verify', letter: 'v' },
    ],
  },
  {
    title: 'Work',
    places: [
      { title: 'Tasks', path: '/tasks', icon: 'tasks', letter: 't' },
      { title: 'Approvals', path: '/approvals', icon: 'approvals', letter: 'a' },
      { title: 'Media buys', path: '/buys', icon: 'buys', letter: 'b' },
    ],
  },
  {
    title: 'Agents',
    places: [
      { title: 'Signals', path: '/signals', icon: 'signals', letter: 's' },
      { title: 'Creative studio', path: '/studio', icon: 'studio', letter: 'c' },
      { title: 'Try an agent', path: '/agents', icon: 'agents', letter: 'n' },
    ],
  },
  {
    title: 'Trust',
    places: [
      { title: 'Registry', path: '/registry', icon: 'registry', letter: 'r' },
      { title: 'Keys', path: '/keys', icon: 'keys', letter: 'k' },
      { title: 'Principals', path: '/principals', icon: 'principals', letter: 'p' },
      { title: 'Audit log', path: '/audit', icon: 'audit', letter: 'l' },
    ],
  },
]

export const NAVIGATION: readonly Place[] = GROUPS.flatMap(({ places }) => places)

const ROUTES: readonly Route[] = [
  { path: '/', load: () => import('./views/overview.tsx') },
  { path: '/deliveries', load: () => import('./views/deliveries.tsx') },
  { path: '/deliveries/:delivery_id', load: () => import('./views/delivery.tsx') },
  { path: '/endpoints', load: () => import('./views/endpoints.tsx') },
  { path: '/endpoints/:endpoint_id', load: () => import('./views/endpoint.tsx') },
  { path: '/received', load: () => import('./views/received.tsx') },
  { path: '/received/:message_id', load: () => import('./views/received-message.tsx') },
  { path: '/tasks', load: () => import('./views/tasks.tsx') },
  { path: '/tasks/:task_id', load: () => import('./views/task.tsx') },
  { path: '/approvals', load: () => import('./views/approvals.tsx') },
  { path: '/signals', load: () => import('./views/signals.tsx') },
  { path: '/signals/catalogue', load: () => import('./views/signals-catalogue.tsx') },
  { path: '/signals/catalogue/:signal_id', load: () => import('./views/signal.tsx') },
  { path: '/verify', load: () => import('./views/verify.tsx') },
  { path: '/agents', load: () => import('./views/agents.tsx') },
  { path: '/agents/doctor', load: () => import('./views/doctor.tsx') },
  { path: '/agents/doctor/:run_id', load: () => import('./views/doctor-report.tsx') },
  { path: '/buys', load: () => import('./views/buys.tsx') },
  { path: '/buys/:media_buy_id', load: () => import('./views/buy.tsx') },
  { path: '/registry', load: () => import('./views/registry.tsx') },
  { path: '/registry/feed', load: () => import('./views/registry-feed.tsx') },
  { path: '/registry/check', load: () => import('./views/registry-check.tsx') },
  { path: '/registry/:domain', load: () => import('./views/registry-domain.tsx') },
  { path: '/keys', load: () => import('./views/keys.tsx') },
  { path: '/principals', load: () => import('./views/principals.tsx') },
  { path: '/principals/:principal_id', load: () => import('./views/principal.tsx') },
  { path: '/audit', load: () => import('./views/audit.tsx') },
  { path: '/studio', load: () => import('./views/studio.tsx') },
  { path: '/studio/campaign', load: () => import('./views/studio-campaign.tsx') },
  { path: '/studio/library', load: () => import('./views/studio-library.tsx') },
  { path: '/studio/library/:library_id', load: () => import('./views/studio-creative.tsx') },
  { path: '/studio/formats/:format', load: () => import('./views/studio-format.tsx') },
]

const loaded = new Map<Route, View>()

export async function loadView(route: Route): Promise<View> {
  const { View } = await route.load()
  loaded.set(route, View)
  return View
}

/** The view of a route that was loaded before. */
export function loadedView(route: Route): View | undefined {
  return loaded.get(route)
}

export function routeOf(path: string): { route: Route; params: Params } | undefined {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path)
    if (params) return { route, params }
  }
  return undefined
}

/** Whether a place of the navigation is where the person is. */
export function isWithin(place: string, path: string): boolean {
  return place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`)
}

/** Undefined when the path is another one. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) {
      try {
        params[part.slice(1)] = decodeURIComponent(value)
      } catch {
        return undefined
      }
    } else if (part !== value) return undefined
  }
  return params
}
