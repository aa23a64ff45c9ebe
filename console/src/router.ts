// The current location: the path below /console and the query, as signals; and how to navigate.

import { computed, signal } from '@preact/signals'

const BASE = '/console'

const place = signal(read())

/** The path below /console, such as `/deliveries/17`. */
export const path = computed(() => place.value.path)
/**
 * The query: filters and the page of a list are stored here, so that opening an address shows the same content again.
 */
export const query = computed(() => new URLSearchParams(place.value.search))

addEventListener('popstate', () => {
  place.value = read()
})

/** The address of a location in the console, as used in a link. */
export function hrefOf(to: string): string {
  return BASE + to
}

export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', hrefOf(to))
  else history.pushState(null, '', hrefOf(to))
  const before = place.value.path
  place.value = read()
  if (place.value.path !== before) scrollTo(0, 0)
}

/**
 * Changes members of the query; undefined or '' removes one. After any change the list returns to its first page,
 * unless the page itself is changed.
 */
export function changeQuery(changes: Record<string, string | undefined>, { replace = false } = {}) {
  const next = new URLSearchParams(place.value.search)
  if (!('cursor' in changes)) next.delete('cursor')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  const search = next.toString()
  go(place.value.path + (search === '' ? '' : `?${search}`), { replace })
}

function read() {
  const { pathname, search } = location
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname
  return { path: below.replace(/\/$/, '') || '/', search }
}
