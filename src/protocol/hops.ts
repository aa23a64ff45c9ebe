// How many servers a call came through, each calling the next: sent in a header, so that agents which call each
// other in a circle stop. Only servers that honor it are limited by it, and two of them suffice.

export const HOPS_HEADER = 'adwire-hops'

/** 0 without the header; if it is not a small number, more than any limit. */
export function hopsOf(header: string | string[] | undefined): number {
  if (header === undefined) return 0
  return typeof header === 'string' && /^\d{1,3}$/.test(header) ? Number(header) : MAX
}

const MAX = 999
