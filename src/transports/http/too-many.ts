// What an address hears that asks too often.

export function tooManyRequests(retryAfterSeconds: number): string {
  return `too many requests: retry after ${retryAfterSeconds} s`
}
