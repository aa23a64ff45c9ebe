// The advertiser in the tasks of 3.2: a brand, or an account identified by its brand and operator, but not both.

import { isObject, type Report } from '../checks.ts'

export interface NamesBrand {
  brand?: unknown
  account?: unknown
}

/** The brand of a request, wherever it is given. */
export function brandOf<Brand>({
  brand,
  account,
}: {
  brand?: Brand | undefined
  account?: unknown
}): Brand | undefined {
  if (brand !== undefined) return brand
  return isObject(account) ? (account.brand as Brand | undefined) : undefined
}

/** Reports an error if there are two brands, or none where one is required. */
export function checkBrand(
  { brand, account }: NamesBrand,
  report: Report,
  { isNeeded }: { isNeeded: boolean },
): void {
  const isNamed = isObject(account) && account.brand !== undefined
  if (brand !== undefined && isNamed) {
    report(['brand'], 'The account names its brand: leave brand out.', 'not')
  }
  if (isNeeded && brand === undefined && !isNamed) {
    const message = 'Give brand, or an account with brand and operator.'
    report(['brand'], message, 'required')
  }
}
