// A format as a small drawing, true to its proportions: its position, its size relative to others, its content.

import type { FormatItem } from '../../../src/console/api/studio.ts'

const WIDTH = 160
const HEIGHT = 104
const MARGIN = 6
/** The side, in pixels of the format, that fills the drawing: anything larger is drawn at its edge. */
const LARGEST = 600
const LEAST_SIDE = 8

interface Box {
  x: number
  y: number
  width: number
  height: number
}

export function Sketch({ format }: { format: Pick<FormatItem, 'shape' | 'type' | 'asset_types'> }) {
  const box = boxOf(format.shape)
  return (
    <svg class="sketch" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      {format.shape ? (
        <>
          <rect
            class="sketch-frame"
            {...box}
            rx={2}
            stroke-dasharray={format.shape.is_exact ? undefined : '4 3'}
          />
          {contentOf(format, box)}
        </>
      ) : (
        <Waves />
      )}
    </svg>
  )
}

/** Small formats are drawn smaller than large ones, but never too small to be seen. */
function boxOf(shape: FormatItem['shape']): Box {
  const { width: w, height: h } = shape ?? { width: 300, height: 200 }
  const room = { width: WIDTH - 2 * MARGIN, height: HEIGHT - 2 * MARGIN }
  const filling = Math.min(room.width / w, room.height / h)
  const size = Math.min(1, 0.55 + (0.45 * Math.max(w, h)) / LARGEST)
  const width = Math.max(w * filling * size, LEAST_SIDE)
  const height = Math.max(h * filling * size, LEAST_SIDE)
  return { x: (WIDTH - width) / 2, y: (HEIGHT - height) / 2, width, height }
}

function contentOf({ type, asset_types }: Pick<FormatItem, 'type' | 'asset_types'>, box: Box) {
  if (type === 'video' || asset_types.includes('vast')) return <Play {...box} />
  if (asset_types.includes('html') || asset_types.includes('javascript'))
    return <Brackets {...box} />
  if (asset_types.includes('image') && type !== 'native') return <Picture {...box} />
  if (asset_types.includes('catalog')) return <Spark {...box} />
  return <Lines {...box} hasPicture={asset_types.includes('image')} />
}

function Picture({ x, y, width, height }: Box) {
  const side = Math.min(width, height)
  const [left, bottom] = [x + width / 2 - side * 0.4, y + height / 2 + side * 0.28]
  return (
    <g class="sketch-mark">
      <path
        d={`M${left} ${bottom} l${side * 0.27} ${-side * 0.4} l${side * 0.18} ${side * 0.22} l${side * 0.12} ${-side * 0.14} l${side * 0.23} ${side * 0.32}Z`}
      />
      <circle cx={left + side * 0.62} cy={bottom - side * 0.46} r={side * 0.08} />
    </g>
  )
}

function Play({ x, y, width, height }: Box) {
  const r = Math.min(width, height) * 0.26
  const [cx, cy] = [x + width / 2, y + height / 2]
  return (
    <path
      class="sketch-mark"
      d={`M${cx - r * 0.7} ${cy - r} L${cx + r} ${cy} L${cx - r * 0.7} ${cy + r}Z`}
    />
  )
}

function Brackets({ x, y, width, height }: Box) {
  const r = Math.min(width, height) * 0.24
  const [cx, cy] = [x + width / 2, y + height / 2]
  return (
    <path
      class="sketch-line"
      d={`M${cx - r} ${cy - r} l${-r} ${r} l${r} ${r} M${cx + r} ${cy - r} l${r} ${r} l${-r} ${r} M${cx + r * 0.35} ${cy - r * 1.15} L${cx - r * 0.35} ${cy + r * 1.15}`}
    />
  )
}

/** What is generated. */
function Spark({ x, y, width, height }: Box) {
  const r = Math.min(width, height) * 0.36
  const [cx, cy] = [x + width / 2, y + height / 2]
  const q = r * 0.22
  return (
    <path
      class="sketch-mark"
      d={`M${cx} ${cy - r} L${cx + q} ${cy - q} L${cx + r} ${cy} L${cx + q} ${cy + q} L${cx} ${cy + r} L${cx - q} ${cy + q} L${cx - r} ${cy} L${cx - q} ${cy - q}Z`}
    />
  )
}

function Lines({ x, y, width, height, hasPicture }: Box & { hasPicture: boolean }) {
  const [left, wide] = [x + width * 0.12, width * 0.76]
  const top = hasPicture ? y + height * 0.62 : y + height * 0.24
  const step = height * (hasPicture ? 0.13 : 0.19)
  const rows = hasPicture ? [1, 0.7] : [1, 0.85, 0.95, 0.5]
  return (
    <>
      {hasPicture && (
        <rect
          class="sketch-mark"
          x={left}
          y={y + height * 0.12}
          width={wide}
          height={height * 0.38}
          rx={1}
        />
      )}
      <path
        class="sketch-line"
        d={rows.map((part, row) => `M${left} ${top + row * step} h${wide * part}`).join(' ')}
      />
    </>
  )
}

const BARS = [10, 22, 36, 26, 44, 30, 52, 38, 24, 42, 30, 16, 24, 10]

function Waves() {
  const left = (WIDTH - (BARS.length - 1) * 8) / 2
  return (
    <path
      class="sketch-line"
      d={BARS.map((bar, at) => `M${left + at * 8} ${(HEIGHT - bar) / 2} v${bar}`).join(' ')}
    />
  )
}

/** `300 × 250`, `9:16`, `adapts to its place`. */
export function sizeText({ shape, takes }: Pick<FormatItem, 'shape' | 'takes'>): string {
  if (takes.includes('dimensions')) return 'any size'
  if (takes.includes('duration')) return 'any length'
  if (!shape) return 'sound'
  return shape.is_exact ? `${shape.width} × ${shape.height}` : 'adapts to its place'
}
