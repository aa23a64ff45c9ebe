// Converts host names to A-labels (UTS #46, non-transitional), with tables that we chose. Node's URL parser is not
// used for this: since Node 24 it accepts A-labels such as `xn--a` without decoding them, and its Unicode version
// differs between releases. Domains decide who may act for whom, so every Node version must agree on them.

import { toASCII } from 'tr46'

/** The ASCII form, in lower case. Undefined when a label is not a valid internationalized name. */
export function toAsciiName(name: string): string | undefined {
  return toASCII(name, OPTIONS) ?? undefined
}

/** Whether every A-label of a host in ASCII is the encoding of a valid name. Other labels are not checked. */
export function hasValidALabels(host: string): boolean {
  return !A_LABEL.test(host) || toAsciiName(host) !== undefined
}

const A_LABEL = /(?:^|\.)xn--/i

const OPTIONS = {
  checkBidi: true,
  checkJoiners: true,
  checkHyphens: false,
  ignoreInvalidPunycode: false,
  transitionalProcessing: false,
  useSTD3ASCIIRules: false,
  verifyDNSLength: false,
} as const
