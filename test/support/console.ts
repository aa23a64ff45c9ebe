// A browser's side of the console's API: keeps the cookie and the token of a session, as a page would.

import type { TestApp } from './app.ts'

export interface ConsoleAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface ConsoleClient {
  get(path: string, headers?: Record<string, string>): Promise<ConsoleAnswer>
  /** With the token of the session, unless the headers say another. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>
  delete(path: string): Promise<ConsoleAnswer>
  cookie: string
  csrf: string
}

export async function ask(
  url: string,
  {
    method = 'GET',
    body,
    headers = {},
  }: { method?: string; body?: unknown; headers?: object } = {},
): Promise<ConsoleAnswer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}

let signIns = 0
/** Another one each time, where a test trusts its proxy: the attempts of one address are few. */
export function nextAddress(): string {
  signIns += 1
  return `10.${Math.floor(signIns / 62_500) % 250}.${Math.floor(signIns / 250) % 250}.${signIns % 250}`
}

export async function signIn(app: Pick<TestApp, 'url'>, key: string): Promise<ConsoleClient> {
  const headers = { 'x-forwarded-for': nextAddress() }
  const answer = await ask(`${app.url}/console/api/session`, {
    method: 'POST',
    body: { key },
    headers,
  })
  if (answer.status !== 200) throw new Error(`no session: ${JSON.stringify(answer.body)}`)
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const { csrf } = answer.body
  const send =
    (method: string) =>
    (path: string, body?: unknown, headers: object = {}) =>
      ask(`${app.url}/console/api${path}`, {
        method,
        body,
        headers: { cookie, 'x-adwire-csrf': csrf, ...headers },
      })
  return {
    get: (path, headers = {}) =>
      ask(`${app.url}/console/api${path}`, { headers: { cookie, ...headers } }),
    post: (path, body = {}, headers) => send('POST')(path, body, headers),
    delete: (path) => send('DELETE')(path),
    cookie,
    csrf,
  }
}
