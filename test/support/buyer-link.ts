// A buyer's side of a link: opens it as its page would, and keeps the cookie.

import { ask, type ConsoleAnswer, nextAddress } from './console.ts'

export interface LinkClient {
  /** Of the answer that opened it. */
  opened: ConsoleAnswer
  cookie: string
  get(path: string, headers?: object): Promise<ConsoleAnswer>
}

/** The token behind # of a link. */
export function tokenOf(link: string): string {
  return new URL(link).hash.slice(1)
}

export function postToken(
  url: string,
  token: string,
  headers: object = {},
): Promise<ConsoleAnswer> {
  return ask(`${url}/console/api/link/session`, {
    method: 'POST',
    body: { token },
    headers: { 'x-forwarded-for': nextAddress(), ...headers },
  })
}

export async function openLink(url: string, link: string): Promise<LinkClient> {
  const opened = await postToken(url, tokenOf(link))
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return {
    opened,
    cookie,
    get: (path, headers = {}) =>
      ask(`${url}/console/api/link${path}`, { headers: { cookie, ...headers } }),
  }
}
