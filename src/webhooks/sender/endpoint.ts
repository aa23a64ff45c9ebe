// The part of a receiver's URL that is used for counting and displayed: its scheme, host, port and path (spec
// 2.12). A query often contains a secret, and a fragment is never sent.

/** Takes a URL that the egress guard accepted. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** The URL as it is sent over the socket, which is the one a receiver can verify. */
export function sentUrlOf(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search}`
}

/** The host of an endpoint, with its port. */
export function hostOf(endpoint: string): string {
  return endpoint.split('/', 3)[2] ?? ''
}

/** The same with its scheme: the prefix of every endpoint of the host, before a slash. */
export function originOf(endpoint: string): string {
  return endpoint.split('/', 3).join('/')
}

/** The key of circuits and limits. No endpoint contains a space, so no two lanes have the same key. */
export function laneOf({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`
}
