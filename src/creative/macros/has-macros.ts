/** Whether an address holds macros, so that it is whole only when the ad is served. */
export function hasMacros(url: string): boolean {
  return /\{[A-Za-z0-9_]+\}/.test(url)
}
