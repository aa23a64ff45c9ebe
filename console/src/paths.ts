// The paths of the views, below /console. `:name` represents one part of a path; where a third party chooses its
// value, no other path has a literal in the same position.

export type Params = Readonly<Record<string, string>>

/**
 * By the names of their files, in the order in which they are tried.
 *
 * @internal
 */
export const PATHS = {
  overview: '/',
  deliveries: '/deliveries',
  delivery: '/deliveries/:delivery_id',
  endpoints: '/endpoints',
  endpoint: '/endpoints/:endpoint_id',
  received: '/received',
  'received-message': '/received/:message_id',
  tasks: '/tasks',
  task: '/tasks/:task_id',
  approvals: '/approvals',
  signals: '/signals',
  'signals-catalogue': '/signals/catalogue',
  signal: '/signals/catalogue/:signal_id',
  verify: '/verify',
  agents: '/agents',
  doctor: '/agents/doctor',
  'doctor-report': '/agents/doctor/:run_id',
  buys: '/buys',
  buy: '/buys/:media_buy_id',
  registry: '/registry',
  'registry-feed': '/registry/feed',
  'registry-check': '/registry/check',
  'registry-network': '/registry/network',
  'registry-crawl': '/registry/crawl',
  'registry-agent': '/registry/agent',
  'registry-moderation': '/registry/moderation',
  'registry-domain': '/registry/:domain',
  keys: '/keys',
  principals: '/principals',
  principal: '/principals/:principal_id',
  sessions: '/sessions',
  audit: '/audit',
  studio: '/studio',
  'studio-campaign': '/studio/campaign',
  'studio-library': '/studio/library',
  'studio-creative': '/studio/library/:library_id',
  'studio-format': '/studio/formats/:format',
} as const
export type ViewName = keyof typeof PATHS

/** The pages of a buyer's link. */
export const LINK_PATHS = {
  deliveries: '/link/deliveries',
  delivery: '/link/deliveries/:delivery_id',
  endpoints: '/link/endpoints',
  reports: '/link/reports',
} as const
export type LinkViewName = keyof typeof LINK_PATHS

export function placeOf(path: string): { view: ViewName; params: Params } | undefined {
  for (const view of Object.keys(PATHS) as ViewName[]) {
    const params = matchPath(PATHS[view], path)
    if (params) return { view, params }
  }
  return undefined
}

/** Undefined if the path does not match. */
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
