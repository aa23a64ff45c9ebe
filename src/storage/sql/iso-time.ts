// Times are returned from the database as ISO 8601. Rows of one batch share their times, so the last text is cached.

let lastMs = Number.NaN
let lastText = ''

export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}
