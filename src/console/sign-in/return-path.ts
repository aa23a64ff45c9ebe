// Where a browser goes after it signed in: the requested page of the console, and never another site.

const START = '/console/'
const MAX_CHARS = 2_000
/** Only used to resolve paths. */
const OWN = 'https://console.invalid'

export function returnPathOf(requested: unknown): string {
  if (typeof requested !== 'string' || requested.length > MAX_CHARS) return START
  // Browsers read `\` as `/`, and remove tabs and line breaks: `/\t/evil.example` is another host.
  if (!requested.startsWith(START) || /[\\\p{Cc}]/u.test(requested)) return START
  try {
    const { origin, pathname, search } = new URL(requested, OWN)
    // Dots may lead out of the console: `/console/../`.
    const isPage = origin === OWN && pathname.startsWith(START)
    return isPage && !/^\/console\/(?:api|oidc)\//.test(pathname) ? `${pathname}${search}` : START
  } catch {
    return START
  }
}
