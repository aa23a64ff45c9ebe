// The response to an address that sends too many requests.

export function tooManyRequests(retryAfterSeconds: number): string {
  return `too many requests: retry after ${retryAfterSeconds} s`
}
