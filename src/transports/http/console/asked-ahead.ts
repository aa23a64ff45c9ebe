// What a page of the console will ask for, told in a header with the page: so the browser asks for it while it still
// loads the app, and not after it has run. Only to who has a cookie: without a session there is nothing to ask for.

import type { IncomingHttpHeaders } from 'node:http'
import type { AppFiles } from './app-files.ts'
import { SESSION_COOKIE } from './cookie.ts'

/** Spelled as the app spells them, or the browser would ask twice. */
const SESSION = '/console/api/session'
const OVERVIEW = '/console/api/overview?range=24h'

/** The value of `Link`; undefined where there is nothing to ask for. */
export function askedAhead(
  { url, headers }: { url: string; headers: IncomingHttpHeaders },
  { assets }: Pick<AppFiles, 'assets'>,
): string | undefined {
  if (SESSION_COOKIE.of(headers.cookie) === undefined || isLink(url)) return undefined
  const links = [dataOf(SESSION)]
  // The view that most begin with.
  if (url === '/console/') {
    const view = [...assets.keys()].find(isOverview)
    links.push(dataOf(OVERVIEW))
    if (view !== undefined) links.push(`</console/assets/${view}>; rel=modulepreload`)
  }
  return links.join(', ')
}

function dataOf(path: string): string {
  return `<${path}>; rel=preload; as=fetch; crossorigin`
}

function isOverview(name: string): boolean {
  return name.startsWith('overview-') && name.endsWith('.js')
}

/** Buyers' pages have a session of their own. */
function isLink(url: string): boolean {
  const [path = ''] = url.split('?')
  return path === '/console/link' || path.startsWith('/console/link/')
}
