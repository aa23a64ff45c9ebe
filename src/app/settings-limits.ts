// Limits that exist only as settings: what may be stored for a principal, the search for signals, the worker pool,
// the verification of references. The docs page of limits lists them together with those that the areas declare.

import { CREATIVE_LIMITS } from '../creative/limits.ts'
import { defineLimits, type Limit, type Limits, type LimitUnit } from '../lib/limit.ts'
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

export const CREATIVE_PAGE: Limits = Object.fromEntries(
  CREATIVE_LIMITS.map(({ name, value, of, beyond }) => {
    const isBytes = of.startsWith('bytes of ')
    const what = isBytes ? of.slice('bytes of '.length) : of
    return [name, { what, value, unit: isBytes ? 'bytes' : '', beyond }]
  }),
)

export const WORKER_POOL_PAGE = defineLimits({
  processes: fromSetting(SETTINGS.workerPoolProcesses, 'the work waits for its turn'),
  memory: fromSetting(SETTINGS.workerPoolMemoryMb, '422; the process is ended'),
  seconds: fromSetting(SETTINGS.workerPoolSeconds, '422; the process is ended', 'seconds'),
  videoSeconds: fromSetting(SETTINGS.videoSeconds, '422; ffmpeg is ended', 'seconds'),
})

export const BROWSER_PAGE = defineLimits({
  processes: fromSetting(SETTINGS.chromiumProcesses, 'the picture waits for its turn'),
  memory: fromSetting(SETTINGS.chromiumMemoryMb, '422; the browser is ended'),
})

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
