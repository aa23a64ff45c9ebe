import { expect, test } from 'vitest'
import {
  figuresOf,
  serializeFigures,
  sumOfFigures,
} from '../../../src/media-buys/reporting/figures.ts'
import { metricsOf } from '../../../src/media-buys/sources/http.ts'
import { buyRecord, packageRecord } from '../../support/media-buys.ts'

const buy = buyRecord({
  packages: [packageRecord({ package_id: 'a' }), packageRecord({ package_id: 'b' })],
})
const viewable = (value: number, viewability_standard = 'mrc') => ({
  metric_id: 'viewable_impressions',
  qualifier: { viewability_standard },
  value,
})
const said = (package_id: string, ...metric_values: ReturnType<typeof viewable>[]) =>
  metricsOf({ package_id, impressions: 10, spend: 1, metric_values })

test('spec 2.11: what was measured in one way is summed, in metric_values and as a plain total', () => {
  const hours = [
    figuresOf(buy, [said('a', viewable(4)), said('b', viewable(3))]),
    figuresOf(buy, [said('a', viewable(2))]),
  ]
  const { totals, by_package } = serializeFigures(buy, sumOfFigures(hours))
  expect(totals).toMatchObject({ impressions: 30, spend: 3, viewable_impressions: 9 })
  const [first, second] = by_package
  expect(first).toMatchObject({
    impressions: 20,
    metric_values: [{ scope: 'standard', ...viewable(6) }],
  })
  expect(first).not.toHaveProperty('viewable_impressions')
  expect(second).toMatchObject({ metric_values: [viewable(3)] })
})

test('spec 2.11: what was measured in two ways has no plain total', () => {
  const figures = figuresOf(buy, [said('a', viewable(4), viewable(3, 'groupm'))])
  const { totals, by_package } = serializeFigures(buy, figures)
  expect(totals).not.toHaveProperty('viewable_impressions')
  expect(by_package[0]?.metric_values).toEqual([
    { scope: 'standard', ...viewable(3, 'groupm') },
    { scope: 'standard', ...viewable(4) },
  ])
})

test('a qualifier that is not known, none at all and money are left out', () => {
  const values = [
    viewable(4, 'guessed'),
    { metric_id: 'clicks', qualifier: {}, value: 1 },
    { metric_id: 'spend', qualifier: { viewability_standard: 'mrc' }, value: 1 },
    { metric_id: 'views?x', qualifier: { lift_dimension: 'recall' }, value: 1 },
  ]
  const figures = figuresOf(buy, [
    { package_id: 'a', impressions: 1, spend: 0, metric_values: values as never },
  ])
  expect(figures).toEqual({ a: { impressions: 1, spend: 0 } })
})

test('only the requested metrics are returned', () => {
  const figures = figuresOf(buy, [said('a', viewable(4))])
  const { totals, by_package } = serializeFigures(buy, figures, ['clicks'])
  expect(totals).not.toHaveProperty('viewable_impressions')
  expect(by_package[0]).not.toHaveProperty('metric_values')
})
