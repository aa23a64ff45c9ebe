// A chart over time. The drawing code is loaded when a chart is displayed; until then its space is reserved.

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isDark } from '../theme.ts'
import type { ChartShape, Drawn, Series } from './draw-chart.ts'

interface ChartProps {
  /** A description of the chart in a sentence, for screen readers. */
  label: string
  /** Seconds since 1970, one for each bar. */
  times: readonly number[]
  series: readonly Series[]
  low?: boolean
  /** `lines`: cumulative sums, drawn separately. Default `bars`, stacked. */
  shape?: ChartShape
}

export function Chart({ label, times, series, low = false, shape = 'bars' }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn>(undefined)
  const failed = useSignal(false)
  const dark = isDark()
  const names = series.map(({ name }) => name).join()

  useEffect(() => {
    let isGone = false
    const draw = async () => {
      await whenIdle()
      const { drawChart } = await import('./draw-chart.ts')
      if (isGone || !place.current) return
      drawn.current = drawChart(place.current, { times, series }, shape)
    }
    draw().catch(() => {
      failed.value = true
    })
    return () => {
      isGone = true
      drawn.current?.destroy()
      drawn.current = undefined
    }
  }, [dark, shape, names])
  useEffect(() => drawn.current?.update({ times, series }))

  return (
    <figure>
      <div ref={place} class={low ? 'chart low' : 'chart'} role="img" aria-label={label}>
        {failed.value && <p class="faint">The chart could not be loaded.</p>}
      </div>
      <Legend of={series} shape={shape} />
    </figure>
  )
}

/** The chart is the largest part of the page and the last that is needed: text and controls load first. */
function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), IDLE)
    else setTimeout(resolve)
  })
}

const IDLE = { timeout: 500 }

function Legend({ of, shape }: { of: readonly Series[]; shape: ChartShape }) {
  const returned = (values: readonly number[]) =>
    shape === 'lines' ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0)
  return (
    <figcaption class="legend">
      {of.map(({ name, tone, values }) => (
        <span key={name}>
          <i class={tone} />
          {name} <b>{Math.round(returned(values)).toLocaleString()}</b>
        </span>
      ))}
    </figcaption>
  )
}
