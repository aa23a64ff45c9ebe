// A web address as people write and remember it: without its scheme and the parts that only machines need.

import { isUrl } from '../../lib/is-url.ts'

/** The number of characters that a passer-by can remember. */
const MEMORABLE = 32

/** The host, with the path if it is short. Empty if there is no address. */
export function addressToRead(url: string | undefined): string {
  const host = hostOf(url)
  if (url === undefined || host === '') return ''
  const { pathname } = new URL(url)
  const path = pathname.replace(/\/$/, '')
  const isPlain = /^[\w/-]*$/.test(path) && host.length + path.length <= MEMORABLE
  return isPlain ? host + path : host
}

export function hostOf(url: string | undefined): string {
  const host = url !== undefined && isUrl(url) ? new URL(url).hostname : ''
  return host.replace(/^www\./, '')
}
