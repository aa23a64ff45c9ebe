// What is wrong with an issuer that a setting names.

import { isUrl } from '../lib/is-url.ts'

export function issuerFault(part: string): string | undefined {
  const url = isUrl(part) ? new URL(part) : undefined
  const isIssuer = url?.protocol === 'https:' && url.search === '' && url.hash === ''
  return isIssuer ? undefined : 'an issuer is an https URL, such as https://login.example'
}
