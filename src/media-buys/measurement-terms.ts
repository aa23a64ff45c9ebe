// How a buyer wants a package measured for billing (spec 4.5): which terms a seller can meet, and which it cannot.

import { isLongerAsJson } from '../lib/json-size.ts'
import { isObject } from '../protocol/schemas/checks.ts'
import type { Faults } from './faults.ts'
import { BUY_LIMITS } from './limits.ts'

/** Two ways of counting never agree more closely than this, in percent. */
const LEAST_VARIANCE = 5
/** Number of days after the flight within which counting has to end. */
const LONGEST_WINDOW_DAYS = 7

/** The terms of a package, at `pointer`; terms that cannot be met are refused, never ignored. */
export function measurementOf(
  { measurement_terms: terms }: { measurement_terms?: unknown },
  pointer: string,
  faults: Faults,
): Readonly<Record<string, unknown>> | undefined {
  if (terms === undefined) return undefined
  const at = `${pointer}/measurement_terms`
  if (!isObject(terms) || isLongerAsJson(terms, BUY_LIMITS.termsBytes.value)) {
    const message = `Give an object below ${BUY_LIMITS.termsBytes.value} bytes.`
    faults.add('VALIDATION_ERROR', message, { pointer: at })
    return undefined
  }
  const fault = faultOf(terms)
  if (fault) faults.add('TERMS_REJECTED', fault.message, { pointer: `${at}${fault.pointer}` })
  return terms
}

/** The part of the terms that cannot be met; undefined if all can. */
function faultOf({
  billing_measurement: billing,
}: Readonly<Record<string, unknown>>): { pointer: string; message: string } | undefined {
  if (!isObject(billing)) return undefined
  const { max_variance_percent: variance, measurement_window: window } = billing
  if (variance !== undefined && !(typeof variance === 'number' && variance >= LEAST_VARIANCE)) {
    return {
      pointer: '/billing_measurement/max_variance_percent',
      message: `Counts differ by more: allow at least ${LEAST_VARIANCE} percent.`,
    }
  }
  const days = typeof window === 'string' ? /^c([0-9]{1,3})$/.exec(window)?.[1] : undefined
  if (days !== undefined && Number(days) > LONGEST_WINDOW_DAYS) {
    return {
      pointer: '/billing_measurement/measurement_window',
      message: `Counting ends after ${LONGEST_WINDOW_DAYS} days: give live, c3 or c${LONGEST_WINDOW_DAYS}.`,
    }
  }
  return undefined
}
