// Where each size is in a row of a sheet: the flat ones above each other, the others beside them.
export const CELLS = [
  { size: [728, 90], left: 0, top: 0, width: 372 },
  { size: [320, 50], left: 0, top: 54, width: 260 },
  { size: [970, 250], left: 0, top: 104, width: 372 },
  { size: [300, 250], left: 384, top: 0, width: 240 },
  { size: [1080, 1080], left: 636, top: 0, width: 200 },
  { size: [1200, 628], left: 848, top: 0, width: 382 },
  { size: [160, 600], left: 1242, top: 0, width: 53 },
  { size: [300, 600], left: 1307, top: 0, width: 100 },
]
export const ROW_HEIGHT = 218
export const PAGE_WIDTH = 1407 + 2 * 18
