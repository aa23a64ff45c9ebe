// A host in the form that is used in a URL.

/** An IPv6 address in its brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
