// The cookies of the console: scripts cannot read them, requests of other sites do not carry them, and each is limited
// to its own paths.

export interface Cookie {
  /** Its value; undefined if there is none, or if there are two, of which one was planted. */
  of(header: string | undefined): string | undefined
  set(value: string, isSecure: boolean, maxAgeSeconds: number): string
  end(isSecure: boolean): string
}

const MAX_HEADER_CHARS = 8_192

/** Of an operator's session. */
export const SESSION_COOKIE = cookie('adwire_console', '/console')
/** For a browser that opened a buyer's link. */
export const LINK_COOKIE = cookie('adwire_link', '/console/api/link')
/** Of a browser on its way to the identity provider and back: that request comes from the provider's site. */
export const SIGN_IN_COOKIE = cookie('adwire_sign_in', '/console/oidc', 'Lax')

function cookie(name: string, path: string, sameSite: 'Strict' | 'Lax' = 'Strict'): Cookie {
  const set = (value: string, isSecure: boolean, maxAgeSeconds: number) => {
    const secure = isSecure ? '; Secure' : ''
    return `${name}=${value}; Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}${secure}`
  }
  return {
    of: (header) => {
      if (header === undefined || header.length > MAX_HEADER_CHARS) return undefined
      const found = header
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
      return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
    },
    set,
    end: (isSecure) => set('', isSecure, 0),
  }
}
