// The cookies of the console: scripts cannot read them, other sites cannot send them, and each goes to its own paths
// alone.

export interface Cookie {
  /** Its value; undefined when there is none, or two, of which somebody planted one. */
  of(header: string | undefined): string | undefined
  set(value: string, isSecure: boolean, maxAgeSeconds: number): string
  end(isSecure: boolean): string
}

const MAX_HEADER_CHARS = 8_192

/** Of an operator's session. */
export const SESSION_COOKIE = cookie('adwire_console', '/console')
/** Of a browser that opened a buyer's link. */
export const LINK_COOKIE = cookie('adwire_link', '/console/api/link')

function cookie(name: string, path: string): Cookie {
  const set = (value: string, isSecure: boolean, maxAgeSeconds: number) => {
    const secure = isSecure ? '; Secure' : ''
    return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`
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
