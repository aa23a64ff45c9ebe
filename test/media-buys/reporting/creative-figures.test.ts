import { expect, test } from 'vitest'
import { divideCounts } from '../../../src/media-buys/reporting/creative-figures.ts'

const creative = (creative_id: string, over: object = {}) => ({
  creative_id,
  package_id: 'pk',
  status: 'approved',
  ...over,
})
const counts = { impressions: 1_001, clicks: 3, spend: 10.000001 }

test('one creative has all figures of its package', () => {
  const { byCreative, isDivided } = divideCounts(counts, [creative('one')])
  expect([byCreative.get('one'), isDivided]).toEqual([counts, false])
})

test('several creatives share figures by their weights, and what they have adds up', () => {
  const { byCreative, isDivided } = divideCounts(counts, [
    creative('one', { weight: 75 }),
    creative('two', { weight: 25 }),
    creative('three', { weight: 0 }),
    creative('gone', { status: 'archived' }),
  ])
  expect(isDivided).toBe(true)
  expect(Object.fromEntries(byCreative)).toEqual({
    one: { impressions: 751, clicks: 3, spend: 7.500001 },
    two: { impressions: 250, clicks: 0, spend: 2.5 },
    three: { impressions: 0, clicks: 0, spend: 0 },
    gone: {},
  })
})

test('where no creative can run any more, those that are there share what was delivered', () => {
  const { byCreative } = divideCounts({ impressions: 4, spend: 1 }, [
    creative('one', { status: 'rejected' }),
    creative('two', { status: 'archived' }),
  ])
  expect(Object.fromEntries(byCreative)).toEqual({
    one: { impressions: 2, spend: 0.5 },
    two: { impressions: 2, spend: 0.5 },
  })
})
