// Draws stacked bars, or lines, over time with uPlot. A separate chunk, loaded with the first chart.

import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Tone } from './badge.tsx'

export interface Series {
  name: string
  tone: Tone
  values: readonly number[]
}

export interface ChartData {
  times: readonly number[]
  series: readonly Series[]
}

export interface Drawn {
  update(data: ChartData): void
  destroy(): void
}

export type ChartShape = 'bars' | 'lines'

export function drawChart(place: HTMLElement, data: ChartData, shape: ChartShape = 'bars'): Drawn {
  const colour = (name: string) => {
    // The tokens are pairs of colours: an element's own colour is the one of the two that is displayed.
    place.style.color = `var(--${name})`
    const returned = getComputedStyle(place).color
    place.style.color = ''
    return returned
  }
  const faint = colour('ink-faint')
  const line = colour('line')
  const size = () => ({ width: place.clientWidth, height: place.clientHeight })
  const isLines = shape === 'lines'
  const layersOf = isLines ? apart : stacked
  const bars = uPlot.paths.bars?.({ size: [0.72, 28], align: 1 })
  const axis = { stroke: faint, font: '11px system-ui, sans-serif', ticks: { show: false } }
  const chart = new uPlot(
    {
      ...size(),
      padding: [8, isLines ? 24 : 16, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: {
        // A bar is drawn to the right of its time, so the last one needs room as well.
        x: { range: (chart, min, max) => [min, isLines ? max : max + widthOf(chart.data[0])] },
        y: { range: (_, __, max) => [0, Math.max(4, max * 1.05)] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 28, space: 70, values: hours },
        { ...axis, grid: { stroke: line, width: 1 }, size: 44, space: 36, incrs: WHOLE },
      ],
      series: [
        {},
        // The highest of the stack is drawn first, the others over it.
        ...[...data.series].reverse().map(({ name, tone }) => ({
          label: name,
          points: { show: false },
          ...(isLines
            ? { stroke: colour(`mark-${tone}`), width: 2, ...(tone === 'idle' && { dash: [5, 4] }) }
            : { fill: colour(`mark-${tone}`), width: 0, ...(bars && { paths: bars }) }),
        })),
      ],
    },
    layersOf(data),
    place,
  )
  const observer = new ResizeObserver(() => chart.setSize(size()))
  observer.observe(place)
  return {
    update: (next) => chart.setData(layersOf(next)),
    destroy() {
      observer.disconnect()
      chart.destroy()
    },
  }
}

/** Half of a delivery is none. */
const WHOLE = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].flatMap((power) => [
  power,
  2 * power,
  5 * power,
])

/** Seconds of one bar. */
function widthOf(times: ArrayLike<number>): number {
  return (times[1] ?? 0) - (times[0] ?? 0)
}

/** Times, then each series stacked on those before it, the last first. */
function stacked({ times, series }: ChartData): uPlot.AlignedData {
  const sums = times.map(() => 0)
  const layers = series.map(({ values }) =>
    times.map((_, index) => {
      sums[index] = (sums[index] ?? 0) + (values[index] ?? 0)
      return sums[index] as number
    }),
  )
  return [[...times], ...layers.reverse()]
}

/** Times, then each series unstacked, the last first. */
function apart({ times, series }: ChartData): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values]).reverse()]
}

const HOUR = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

function hours(chart: uPlot, splits: number[]): string[] {
  const { min = 0, max = 0 } = chart.scales.x ?? {}
  const isLong = (max ?? 0) - (min ?? 0) > 2 * 86_400
  return splits.map((at) => (isLong ? DAY : HOUR).format(new Date(at * 1000)))
}
