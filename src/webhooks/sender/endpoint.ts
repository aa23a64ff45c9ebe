// The part of a receiver's URL that is used for counting and displayed: its scheme, host, port and path (spec
// 2.12). A query often contains a secret, and a fragment is never sent.

/** Takes a URL that the egress guard accepted. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** The URL as the socket will carry it, which is what a receiver can verify. */
export function sentUrlOf(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search}`
}

/** The host of an endpoint, with its port. */
export function hostOf(endpoint: string): string {
  return endpoint.split('/', 3)[2] ?? ''
}

/** The same with its scheme: what every endpoint of the host begins with, before a slash. */
export function originOf(endpoint: string): string {
  return endpoint.split('/', 3).join('/')
}

/** What circuits and limits go by. No endpoint has a space in it, so no two lanes are spelled alike. */
export function laneOf({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`
}
