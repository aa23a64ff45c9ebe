// The page of the app with links to the data it will request, so that the browser fetches it while the app still
// loads, and not after it has run. The links are last in the head, because a server that works on a response
// sends no files meanwhile. Only for clients with a cookie: without a session there is nothing to request.

import { gzipSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import type { AppFile, AppFiles } from './app-files.ts'
import { SESSION_COOKIE } from './cookie.ts'

/** Spelled exactly as the app spells them, or the browser would send each request twice. */
const SESSION = '<link rel="preload" as="fetch" crossorigin href="/console/api/session">'
const OVERVIEW =
  '<link rel="preload" as="fetch" crossorigin href="/console/api/overview?range=24h">'
const HEAD_END = '</head>'

export type PageOf = (request: Pick<FastifyRequest, 'url' | 'headers'>) => AppFile

export function pagesOf({ index, assets }: AppFiles): PageOf {
  const view = [...assets.keys()].find(isOverview)
  const chunk = `<link rel="modulepreload" crossorigin href="/console/assets/${view}">`
  const withSession = withLinks(index, [SESSION])
  // The view that most begin with.
  const withOverview = withLinks(index, [...(view ? [chunk] : []), SESSION, OVERVIEW])
  return ({ url, headers }) => {
    if (SESSION_COOKIE.of(headers.cookie) === undefined || isLink(url)) return index
    return url === '/console/' ? withOverview : withSession
  }
}

function withLinks(page: AppFile, links: readonly string[]): AppFile {
  const text = page.body.toString('utf8').replace(HEAD_END, `${links.join('')}${HEAD_END}`)
  const body = Buffer.from(text)
  return { ...page, body, gzip: page.gzip && gzipSync(body) }
}

function isOverview(name: string): boolean {
  return name.startsWith('overview-') && name.endsWith('.js')
}

/** Buyers' pages have a separate session. */
function isLink(url: string): boolean {
  const [path = ''] = url.split('?')
  return path === '/console/link' || path.startsWith('/console/link/')
}
