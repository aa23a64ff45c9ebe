/** Whether a URL contains macros, so that it is complete only when the ad is served. */
export function hasMacros(url: string): boolean {
  return /\{[A-Za-z0-9_]+\}/.test(url)
}
