// Limits that are settings and nothing else: what may be kept for a principal, the search for signals,
// the verification of references. The page of limits shows them beside those that the areas declare.

import { defineLimits, type Limit, type LimitUnit } from '../lib/limit.ts'
import { MANIFEST_LIMITS } from '../protocol/read-manifest.ts'
import { VERIFICATION_LIMITS } from '../registry/verify-reference.ts'
import { QUOTA_SETTINGS } from './quota-settings.ts'
import { SETTINGS } from './settings.ts'
import { SIGNAL_SETTINGS } from './signal-settings.ts'

interface NumberSetting {
  env: string
  about: string
  default: string
}

function fromSetting(setting: NumberSetting, beyond: string, unit: LimitUnit = ''): Limit {
  const what = setting.about.replace(/\.$/, '')
  return { what, value: Number(setting.default), unit, setting: setting.env, beyond }
}

export const QUOTA_PAGE = Object.fromEntries(
  Object.entries(QUOTA_SETTINGS).map(([name, setting]) => [
    name,
    fromSetting(
      setting,
      '409 `QUOTA_EXCEEDED`, with the limit and what is used',
      name.endsWith('Bytes') ? 'bytes' : '',
    ),
  ]),
)

const LATER = 'with `Retry-After`'

export const SEARCH_PAGE = defineLimits({
  atOnce: fromSetting(SIGNAL_SETTINGS.signalsSearchesAtOnce, 'the search waits for its turn'),
  waiting: fromSetting(SIGNAL_SETTINGS.signalsSearchesWaiting, `503 ${LATER}`),
  ofCaller: fromSetting(SIGNAL_SETTINGS.signalsCallerWaiting, `429 \`RATE_LIMITED\` ${LATER}`),
  keyless: fromSetting(SIGNAL_SETTINGS.signalsKeylessWaiting, `429 \`RATE_LIMITED\` ${LATER}`),
  keylessRate: fromSetting(
    SIGNAL_SETTINGS.signalsKeylessPerMinute,
    `429 \`RATE_LIMITED\` ${LATER}`,
    'a minute',
  ),
  keylessSpec: fromSetting(SIGNAL_SETTINGS.signalsKeylessSpecLength, '400 `INVALID_REQUEST`'),
  seconds: fromSetting(SIGNAL_SETTINGS.signalsSearchSeconds, `503 ${LATER}`, 'seconds'),
})

export const VERIFICATION_PAGE = defineLimits({
  pace: fromSetting(SETTINGS.registryVerifyPerMinute, 'the others wait', 'a minute'),
  bytes: fromSetting(SETTINGS.registryManifestBytes, 'the reference is `invalid`', 'bytes'),
  ...MANIFEST_LIMITS,
  ...VERIFICATION_LIMITS,
})
