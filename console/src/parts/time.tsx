// A point in time: in the person's own time zone, with UTC on hover. Relative times update automatically.

import { signal } from '@preact/signals'

const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 10_000)

const SHORT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const FULL = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

interface Props {
  at: string | undefined
  /**
   * `ago`: time since; `until`: time until, or `due`; `short`: to the minute; `full`: to the second. Default `short`.
   */
  as?: 'ago' | 'until' | 'short' | 'full'
}

export function Time({ at, as = 'short' }: Props) {
  if (at === undefined) return <span class="faint">–</span>
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>{at}</span>
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const title = as === 'full' ? utc : `${FULL.format(date)} · ${utc}`
  const text = textOf(date, as)
  return (
    <time dateTime={at} title={title} class="nowrap">
      {text}
    </time>
  )
}

function textOf(date: Date, as: NonNullable<Props['as']>): string {
  if (as === 'full') return FULL.format(date)
  if (as === 'short') return SHORT.format(date)
  const ms = date.getTime() - now.value
  return as === 'until' && ms < 10_000 ? 'due' : distance(ms)
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const

/** `3 min ago`, `in 2 h`, `now`. */
function distance(ms: number): string {
  const away = Math.abs(ms)
  for (const [size, unit] of UNITS) {
    if (away >= size) {
      const count = `${Math.floor(away / size)} ${unit}`
      return ms < 0 ? `${count} ago` : `in ${count}`
    }
  }
  if (away < 10_000) return 'now'
  const count = `${Math.floor(away / 1000)} s`
  return ms < 0 ? `${count} ago` : `in ${count}`
}

/** How long something took: `840 ms`, `2.4 s`, `3 min`. */
export function lasting(ms: number | undefined): string {
  if (ms === undefined) return '–'
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 172_800_000) return `${Number((ms / 3_600_000).toFixed(1))} h`
  return `${Math.round(ms / 86_400_000)} d`
}
