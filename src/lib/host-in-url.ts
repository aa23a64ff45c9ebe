// A host as it stands in a URL.

/** An IPv6 address in its brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
