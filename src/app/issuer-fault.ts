// What is wrong with an issuer that a setting names.

import { isUrl } from '../lib/is-url.ts'

/** The same for a provider where people sign in, which may also be on this machine, for a test. */
export function providerIssuerFault(value: string): string | undefined {
  const url = isUrl(value) ? new URL(value) : undefined
  const isTest = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
  return isTest && url.search === '' && url.hash === '' ? undefined : issuerFault(value)
}

export function issuerFault(part: string): string | undefined {
  const url = isUrl(part) ? new URL(part) : undefined
  const isIssuer = url?.protocol === 'https:' && url.search === '' && url.hash === ''
  return isIssuer ? undefined : 'an issuer is an https URL, such as https://login.example'
}
