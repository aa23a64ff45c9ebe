// The views: their paths, their place in the navigation, and the chunk that each is loaded from.

import type { ComponentType } from 'preact'
import type { IconName } from './parts/icon.tsx'
import type { Params, ViewName } from './paths.ts'

export type View = ComponentType<{ params: Params }>

interface Place {
  title: string
  path: string
  icon: IconName
  /** `g` and then this letter goes there. */
  letter: string
}

/** The entries by subject, in the order of the navigation rail. */
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
      { title: 'Sessions', path: '/sessions', icon: 'sessions', letter: 'u' },
      { title: 'Audit log', path: '/audit', icon: 'audit', letter: 'l' },
    ],
  },
]

export const NAVIGATION: readonly Place[] = GROUPS.flatMap(({ places }) => places)

const VIEWS: Readonly<Record<ViewName, () => Promise<{ View: View }>>> = {
  overview: () => import('./views/overview.tsx'),
  deliveries: () => import('./views/deliveries.tsx'),
  delivery: () => import('./views/delivery.tsx'),
  endpoints: () => import('./views/endpoints.tsx'),
  endpoint: () => import('./views/endpoint.tsx'),
  received: () => import('./views/received.tsx'),
  'received-message': () => import('./views/received-message.tsx'),
  tasks: () => import('./views/tasks.tsx'),
  task: () => import('./views/task.tsx'),
  approvals: () => import('./views/approvals.tsx'),
  signals: () => import('./views/signals.tsx'),
  'signals-catalogue': () => import('./views/signals-catalogue.tsx'),
  signal: () => import('./views/signal.tsx'),
  verify: () => import('./views/verify.tsx'),
  agents: () => import('./views/agents.tsx'),
  doctor: () => import('./views/doctor.tsx'),
  'doctor-report': () => import('./views/doctor-report.tsx'),
  buys: () => import('./views/buys.tsx'),
  buy: () => import('./views/buy.tsx'),
  registry: () => import('./views/registry.tsx'),
  'registry-feed': () => import('./views/registry-feed.tsx'),
  'registry-check': () => import('./views/registry-check.tsx'),
  'registry-network': () => import('./views/registry-network.tsx'),
  'registry-crawl': () => import('./views/registry-crawl.tsx'),
  'registry-agent': () => import('./views/registry-agent.tsx'),
  'registry-moderation': () => import('./views/registry-moderation.tsx'),
  'registry-domain': () => import('./views/registry-domain.tsx'),
  keys: () => import('./views/keys.tsx'),
  principals: () => import('./views/principals.tsx'),
  principal: () => import('./views/principal.tsx'),
  sessions: () => import('./views/sessions.tsx'),
  audit: () => import('./views/audit.tsx'),
  studio: () => import('./views/studio.tsx'),
  'studio-campaign': () => import('./views/studio-campaign.tsx'),
  'studio-library': () => import('./views/studio-library.tsx'),
  'studio-creative': () => import('./views/studio-creative.tsx'),
  'studio-format': () => import('./views/studio-format.tsx'),
}

const loaded = new Map<ViewName, View>()

export async function loadView(name: ViewName): Promise<View> {
  const { View } = await VIEWS[name]()
  loaded.set(name, View)
  return View
}

/** The view that was loaded before. */
export function loadedView(name: ViewName): View | undefined {
  return loaded.get(name)
}

/** Whether an entry of the navigation is the current location. */
export function isWithin(place: string, path: string): boolean {
  return place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`)
}
