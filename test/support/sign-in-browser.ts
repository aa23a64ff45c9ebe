// What a browser does when a person signs in to the console at the provider of oidc-provider.ts: follows redirects,
// keeps the cookies of each site, and fills in the provider's form.

import { nextAddress } from './console.ts'

export interface SignInBrowser {
  /** Follows redirects to the end, or up to the first address that `until` names. */
  open(url: string, options?: { until?: RegExp }): Promise<Landing>
  /** Opens `/console/oidc/start`, signs in as this person, and returns where the browser ends. */
  signIn(console: string, user: string, query?: string): Promise<Landing>
  /** The same, but stops with the address of the callback, which is not opened. */
  codeFor(console: string, user: string): Promise<string>
  /** The cookies for an origin, as a header. */
  cookies(origin: string): string
}

interface Landing {
  url: string
  status: number
  text: string
}

export function signInBrowser(): SignInBrowser {
  const address = nextAddress()
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const cookies = (url: string) => [...jarOf(url)].map((pair) => pair.join('=')).join('; ')
  const open = async (
    first: string,
    { until, form }: { until?: RegExp; form?: URLSearchParams } = {},
  ): Promise<Landing> => {
    let url = first
    let body = form
    for (let hop = 0; hop < 15; hop++) {
      if (hop > 0 && until?.test(url)) return { url, status: 0, text: '' }
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: cookies(url), 'x-forwarded-for': address },
        ...(body && { method: 'POST', body }),
      })
      const text = await response.text()
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jarOf(url).delete(name)
        else jarOf(url).set(name, value)
      }
      const location = response.headers.get('location')
      if (location === null) return { url, status: response.status, text }
      url = new URL(location, url).href
      body = undefined
    }
    throw new Error(`too many redirects: ${url}`)
  }
  const signIn = async (
    console: string,
    user: string,
    { query = '', until }: { query?: string; until?: RegExp } = {},
  ) => {
    let page = await open(`${console}/console/oidc/start${query}`, until ? { until } : {})
    // The form for the name, and one that asks whether the console may know who it is.
    for (const prompt of ['login', 'consent']) {
      const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1]
      if (action === undefined || !page.text.includes(`value="${prompt}"`)) continue
      const form = new URLSearchParams({ prompt, login: user, password: 'x' })
      page = await open(action, { form, ...(until && { until }) })
    }
    return page
  }
  return {
    open,
    cookies,
    signIn: (console, user, query) => signIn(console, user, query ? { query } : {}),
    codeFor: async (console, user) =>
      (await signIn(console, user, { until: /\/console\/oidc\/callback/ })).url,
  }
}
