// Layout "grid": several products, each complete in its own cell on paper, with the words on the brand's colour
// beside or below them.

import { surfaceOn } from '../palette.ts'
import type { Frame, Rect, Stage } from '../scene.ts'
import { rect } from '../shapes.ts'
import { halves, placePhoto, withRoom } from './beside.ts'

export function grid(frame: Frame): Stage {
  const isFirst = frame.family === 'strip' || frame.dice.roll() < 0.5
  return withRoom(frame, (share) => gridAt(frame, share, isFirst))
}

function gridAt(frame: Frame, share: number, first: boolean): Stage {
  const { width: w, margin, palette, family, unit } = frame
  const all = frame.photo?.products ?? []
  // On a strip, as many as leave enough room for the words.
  const most = family === 'strip' ? Math.max(2, Math.floor((w * 0.38) / frame.height)) : all.length
  const products = all.slice(0, most)
  const { photo: area, isBeside, isFirst } = halves(frame, share, first)
  const gap = Math.max(2, Math.round(unit * 0.012))
  const { cells, width } = cellsIn(frame, area, { count: products.length, gap })
  const left = isFirst ? 0 : w - width
  const [one, ...others] = cells.map((cell, index) =>
    placePhoto({ ...cell, x: cell.x + (isBeside ? left : 0) }, products[index], {
      radius: unit * 0.018,
    }),
  )
  const panel: Rect = isBeside
    ? { x: isFirst ? width : 0, y: 0, width: w - width, height: frame.height }
    : { x: 0, y: area.height, width: w, height: frame.height - area.height }
  const sides = family === 'strip' ? margin * 1.2 : margin
  const head = isBeside ? margin : margin * 0.8
  return {
    under: [
      rect({ x: 0, y: 0, width: w, height: frame.height }, palette.paper),
      rect(panel, palette.primary),
    ],
    ...(one && { photo: one }),
    products: others,
    shapes: [],
    content: {
      box: {
        x: panel.x + sides,
        y: panel.y + head,
        width: Math.max(0, panel.width - sides * 2),
        height: Math.max(0, panel.height - head - margin),
      },
      surface: surfaceOn(palette.primary, palette),
    },
    align: 'start',
    at: 0.5,
    confetti: [],
  }
}

/** As square as the area allows: one row on a strip, else rows of two, with a single one across both columns. */
function cellsIn(frame: Frame, area: Rect, { count, gap }: { count: number; gap: number }) {
  const { height: h, family } = frame
  const columns =
    family === 'strip' ? count : family === 'box' || count < 3 ? flatColumns(area, count) : 2
  const rows = Math.ceil(count / columns)
  const width = family === 'strip' ? Math.round(h * 0.92 * count) : area.width
  const [wide, tall] = [
    (width - gap * (columns + 1)) / columns,
    (area.height - gap * (rows + 1)) / rows,
  ]
  const cells = Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1 && count % columns === 1 && columns > 1
    const [row, column] = [Math.floor(index / columns), index % columns]
    return {
      x: gap + column * (wide + gap),
      y: gap + row * (tall + gap),
      width: Math.max(1, isLast ? width - gap * 2 : wide),
      height: Math.max(1, tall),
    }
  })
  return { cells, width }
}

function flatColumns({ width, height }: Rect, count: number): number {
  return width > height ? count : 1
}
