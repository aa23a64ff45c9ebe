// Layout "mosaic": a panel of geometric tiles in the brand's colours beside a calm field of the primary colour. The
// panel is along the longer dimension of the canvas.

import { type Colour, contrast, mix, WHITE } from '../colours.ts'
import { surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { rect } from '../shapes.ts'
import { canvas } from './grounds.ts'
import { FIGURES } from './tile-figures.ts'

export function mosaic(frame: Frame): Stage {
  const { palette, width, height, margin, family } = frame
  const { panel: end, columns, rows, isBeside } = panelOf(frame)
  // On a wide canvas the panel may come first, with the words on the right.
  const isFirst = family === 'wide' && frame.dice.roll() < 0.5
  const panel = isFirst ? { ...end, x: 0 } : end
  const tiles: string[] = []
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      tiles.push(tile(frame, cell(panel, [column, columns], [row, rows]), row + column))
  const top = isBeside ? margin : panel.height + margin
  const left = isFirst ? panel.width : 0
  const right = isBeside && !isFirst ? panel.x : width
  return {
    shapes: [rect(canvas(frame), palette.primary), ...tiles],
    content: {
      box: {
        x: left + margin,
        y: top,
        width: Math.max(0, right - left - margin * 2),
        height: Math.max(0, height - top - margin),
      },
      surface: surfaceOn(palette.primary, palette),
    },
    align: 'start',
    at: family === 'wide' ? 0.5 : isBeside ? 1 : 0.6,
    confetti: [],
  }
}

interface Panel {
  panel: Rect
  columns: number
  rows: number
  /** Beside the content, else above it. */
  isBeside: boolean
}

/** Nearly square tiles that fill one side of the canvas. */
function panelOf({ width, height, family }: Frame): Panel {
  if (family === 'tall' || family === 'column') {
    const columns = family === 'column' ? 2 : 4
    const rows = Math.max(1, Math.round((height * 0.38 * columns) / width))
    const tall = Math.round((width / columns) * rows)
    return { panel: { x: 0, y: 0, width, height: tall }, columns, rows, isBeside: false }
  }
  const rows = { strip: 2, wide: width / height > 2.4 ? 3 : 4, box: 4 }[family]
  const share = { strip: 0.2, wide: 0.36, box: 0.26 }[family]
  const columns = Math.max(1, Math.round((width * share * rows) / height))
  const x = Math.round(width - (columns * height) / rows)
  return { panel: { x, y: 0, width: width - x, height }, columns, rows, isBeside: true }
}

/** Edges on whole pixels: a blurred edge between two tiles of one colour would show as a hairline. */
function cell(panel: Rect, [column, columns]: Place, [row, rows]: Place): Rect {
  const across = (i: number) => panel.x + Math.round((panel.width * i) / columns)
  const down = (i: number) => panel.y + Math.round((panel.height * i) / rows)
  const [x, y] = [across(column), down(row)]
  return { x, y, width: across(column + 1) - x, height: down(row + 1) - y }
}

type Place = readonly [index: number, count: number]

function tile({ palette, dice }: Frame, box: Rect, turn: number): string {
  const light = mix(palette.primary, WHITE, 0.82)
  const deep = mix(palette.primary, palette.ink, 0.5)
  const grounds: readonly Colour[] = [
    palette.secondary,
    light,
    deep,
    mix(palette.primary, WHITE, 0.24),
    palette.accent,
  ]
  const ground = grounds[(turn + Math.floor(dice.roll() * 2)) % grounds.length] as Colour
  const figures = [palette.primary, deep, light, palette.secondary].filter(
    (colour) => contrast(colour, ground) > 1.35,
  )
  const figure = dice.pick(figures.length > 0 ? figures : [WHITE])
  return rect(box, ground) + dice.pick(FIGURES)(box, figure)
}
