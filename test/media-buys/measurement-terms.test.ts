import { expect, test } from 'vitest'
import { createFaults } from '../../src/media-buys/faults.ts'
import { measurementOf } from '../../src/media-buys/measurement-terms.ts'
import type { ManyErrors } from '../../src/protocol/errors.ts'

function refusal(billing_measurement: object) {
  const faults = createFaults()
  const terms = { billing_measurement }
  expect(measurementOf({ measurement_terms: terms }, '/packages/0', faults)).toEqual(terms)
  try {
    faults.refuse()
  } catch (error) {
    return (error as ManyErrors).errors[0]
  }
  return undefined
}

test.each([
  [{ max_variance_percent: 0 }, 'max_variance_percent'],
  [{ max_variance_percent: '10' }, 'max_variance_percent'],
  [{ measurement_window: 'c30' }, 'measurement_window'],
])('spec 4.5: terms that no seller keeps to are refused: %j', (terms, member) => {
  expect(refusal(terms)).toMatchObject({
    code: 'TERMS_REJECTED',
    recovery: 'correctable',
    field: `/packages/0/measurement_terms/billing_measurement/${member}`,
  })
})

test.each([
  [{}],
  [{ max_variance_percent: 10, measurement_window: 'c7' }],
  [{ measurement_window: 'live' }],
])('terms that can be kept to are kept: %j', (terms) => {
  expect(refusal(terms)).toBeUndefined()
})
