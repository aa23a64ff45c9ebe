// The URL that an offering gives for clicks on it.

import { isUrl } from '../../lib/is-url.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'

const MEMBERS = ['landing_url', 'landing_page_url', 'click_url', 'url'] as const

export function offeringAddress(offering: Offering | undefined): string | undefined {
  for (const member of MEMBERS) {
    const given = offering?.[member]
    const url = isObject(given) ? given.url : given
    if (typeof url === 'string' && /^https?:\/\//i.test(url) && isUrl(url)) return url
  }
  return undefined
}
