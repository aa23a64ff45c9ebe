import { expect, test } from 'vitest'
import { LIGHT_CELLS, type PhotoCrop } from '../../../src/creative/layout-engine/ad-input.ts'
import {
  focusOf,
  visiblePartOf,
} from '../../../src/creative/layout-engine/layouts/visible-photo.ts'
import type { PlacedPhoto, Stage } from '../../../src/creative/layout-engine/scene.ts'

/** With all there is to see in these rows and columns, each from 0 to 1. */
function cropWith({ rows = [0, 1], columns = [0, 1] }): PhotoCrop {
  const isWithin = (cell: number, [from = 0, to = 1]: number[]) =>
    (cell + 0.5) / LIGHT_CELLS > from && (cell + 0.5) / LIGHT_CELLS < to
  const detail = Array.from({ length: LIGHT_CELLS ** 2 }, (_, at) =>
    isWithin(at % LIGHT_CELLS, columns) && isWithin(Math.floor(at / LIGHT_CELLS), rows) ? 1 : 0,
  )
  return { dataUri: '', lightest: [], detail }
}
const OF = { width: 240, height: 240 }
const stageWith = (photo: Partial<PlacedPhoto>, more: Partial<Stage> = {}) =>
  ({ photo: { box: { x: 0, y: 0, ...OF }, dataUri: '', ...photo }, ...more }) as Stage

test('a box of another shape shows what it does not cut off', () => {
  const flat = { box: { x: 0, y: 0, width: 240, height: 120 } }
  const seen = (crop: PhotoCrop, photo: Partial<PlacedPhoto>) =>
    visiblePartOf(stageWith(photo), crop, { of: OF, isMirrored: false })
  expect(seen(cropWith({}), {})).toBe(1)
  expect(seen(cropWith({}), flat)).toBeCloseTo(0.5)
  expect(seen(cropWith({ rows: [0.25, 0.75] }), flat)).toBe(1)
  expect(seen(cropWith({ rows: [0, 0.25] }), flat)).toBe(0)
  expect(seen(cropWith({ rows: [0, 0.25] }), { ...flat, focus: 'xMidYMin' })).toBe(1)
  expect(seen(cropWith({ rows: [0, 0.25] }), { ...flat, backdrop: '#ffffff' })).toBe(1)
})

test('what lies under a panel is not seen, and a mirrored panel hides the other side', () => {
  const panel = { hides: (x: number) => x < 120 }
  const seen = (columns: number[], isMirrored: boolean) =>
    visiblePartOf(stageWith({}, panel), cropWith({ columns }), { of: OF, isMirrored })
  expect(seen([0, 0.5], false)).toBe(0)
  expect(seen([0.5, 1], false)).toBe(1)
  expect(seen([0, 0.5], true)).toBe(1)
  expect(seen([0.5, 1], true)).toBe(0)
})

test('a crop stays in the middle of a box of another shape unless another side shows more', () => {
  const flat = { x: 0, y: 0, width: 240, height: 120 }
  const tall = { x: 0, y: 0, width: 120, height: 240 }
  expect(focusOf(cropWith({}), OF, flat)).toBeUndefined()
  expect(focusOf(cropWith({ rows: [0, 0.4] }), OF, flat)).toBe('xMidYMin')
  expect(focusOf(cropWith({ rows: [0.6, 1] }), OF, flat)).toBe('xMidYMax')
  expect(focusOf(cropWith({ columns: [0, 0.4] }), OF, tall)).toBe('xMinYMid')
  expect(focusOf(cropWith({ columns: [0.6, 1] }), OF, tall)).toBe('xMaxYMid')
})
