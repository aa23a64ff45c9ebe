// The settings of delivery reports: the source of the figures, and how long to wait for them.

import { integer, list, text } from './setting.ts'

const OUTAGE = /^[^/\s]{1,40}\/[^/\s]{1,40}$/

export const DELIVERY_SETTINGS = {
  deliverySource: text({
    env: 'ADWIRE_DELIVERY_SOURCE',
    about:
      'Source of delivery figures: the URL of a service, a file (.csv, .jsonl), or simulated; see docs/delivery-sources.md. Default: simulated with --demo, otherwise none, so reports are late.',
    default: '',
    placeholder: 'where',
  }),
  deliveryBearerFile: text({
    env: 'ADWIRE_DELIVERY_BEARER_FILE',
    about: 'File with the token that is sent to the service in ADWIRE_DELIVERY_SOURCE.',
    default: '',
    placeholder: 'file',
  }),
  reportCorrectionHours: integer({
    env: 'ADWIRE_REPORT_CORRECTION_HOURS',
    about:
      'How long after its end a window is read again, and reported as adjusted if its figures changed. The final report is sent after that time, or earlier if the source marks the figures as final.',
    default: '48',
    min: 0,
    max: 720,
  }),
  reportGiveUpHours: integer({
    env: 'ADWIRE_REPORT_GIVE_UP_HOURS',
    about:
      'How long after the end of a window to wait for its figures. After that, its report fails permanently.',
    default: '168',
    min: 1,
    max: 2_160,
  }),
  simulatedSeed: text({
    env: 'ADWIRE_SIMULATED_SEED',
    about: 'Random seed of the figures of the simulated ad server.',
    default: 'adwire',
    placeholder: 'seed',
  }),
  simulatedDelayMinutes: integer({
    env: 'ADWIRE_SIMULATED_DELAY_MINUTES',
    about: 'How long after the end of a window the simulated ad server has its figures.',
    default: '10',
    min: 0,
    max: 10_080,
  }),
  simulatedLatePercent: integer({
    env: 'ADWIRE_SIMULATED_LATE_PERCENT',
    about: 'Share of hours whose figures the simulated ad server corrects 6 hours later.',
    default: '5',
    min: 0,
    max: 100,
  }),
  simulatedOutages: list({
    env: 'ADWIRE_SIMULATED_OUTAGES',
    about:
      'When the simulated ad server is unavailable: two times separated by a slash, such as 2026-01-01T00:00:00Z/2026-01-01T05:00:00Z.',
    default: '',
    placeholder: 'from/to',
    check: (part) => (outageOf(part) ? undefined : 'must be two times separated by a slash'),
  }),
} as const

/** In milliseconds; undefined when it cannot be read. */
export function outageOf(part: string): { from: number; to: number } | undefined {
  if (!OUTAGE.test(part)) return undefined
  const [from = Number.NaN, to = Number.NaN] = part.split('/').map((time) => Date.parse(time))
  return from < to ? { from, to } : undefined
}
