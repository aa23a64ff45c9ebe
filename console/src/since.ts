// "Since" as a filter: a span in the address, a time for the server. Rounded to the minute, so that requests within a
// minute are identical.

export const SINCE_CHOICES = [
  ['', 'Any time'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
] as const

const SPANS: Readonly<Record<string, number>> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
}
const MINUTE = 60_000

/** An ISO time; undefined if nothing valid was chosen. */
export function sinceOf(choice: string | null): string | undefined {
  if (choice === null) return undefined
  const span = SPANS[choice]
  if (span !== undefined) {
    return new Date(Math.floor((Date.now() - span) / MINUTE) * MINUTE).toISOString()
  }
  const at = Date.parse(choice)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
