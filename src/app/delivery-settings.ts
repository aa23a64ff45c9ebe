// The settings of delivery reports: the source of the figures, and how long to wait for them.

import { integer, list, text } from './setting.ts'

const OUTAGE = /^[^/\s]{1,40}\/[^/\s]{1,40}$/

export const DELIVERY_SETTINGS = {
  deliverySource: text({
    env: 'ADWIRE_DELIVERY_SOURCE',
    about:
      'Where figures of delivery come from: the URL of a service, a file (.csv, .jsonl), or simulated; ' +
      'see docs/delivery-sources.md. Empty: simulated with --demo, and otherwise none, so reports are late.',
    default: '',
    placeholder: 'where',
  }),
  deliveryBearerFile: text({
    env: 'ADWIRE_DELIVERY_BEARER_FILE',
    about: 'File with the token that is sent to the service of ADWIRE_DELIVERY_SOURCE.',
    default: '',
    placeholder: 'file',
  }),
  reportCorrectionHours: integer({
    env: 'ADWIRE_REPORT_CORRECTION_HOURS',
    about:
      'How long after its end a window is read again and reported as adjusted when it changed; the ' +
      'final report waits for it, unless the source marks the figures as final earlier.',
    default: '48',
    min: 0,
    max: 720,
  }),
  reportGiveUpHours: integer({
    env: 'ADWIRE_REPORT_GIVE_UP_HOURS',
    about: 'How long after its end the figures of a window are waited for at all.',
    default: '168',
    min: 1,
    max: 2_160,
  }),
  simulatedSeed: text({
    env: 'ADWIRE_SIMULATED_SEED',
    about: 'What the figures of the simulated ad server are drawn from.',
    default: 'adwire',
    placeholder: 'seed',
  }),
  simulatedDelayMinutes: integer({
    env: 'ADWIRE_SIMULATED_DELAY_MINUTES',
    about: 'How long after the end of a window the simulated ad server knows its figures.',
    default: '10',
    min: 0,
    max: 10_080,
  }),
  simulatedLatePercent: integer({
    env: 'ADWIRE_SIMULATED_LATE_PERCENT',
    about:
      'Of all hours the share of which the simulated ad server corrects the figures 6 hours later.',
    default: '5',
    min: 0,
    max: 100,
  }),
  simulatedOutages: list({
    env: 'ADWIRE_SIMULATED_OUTAGES',
    about:
      'When the simulated ad server is unavailable: from and to as times with a slash between, such as ' +
      '2026-01-01T00:00:00Z/2026-01-01T05:00:00Z.',
    default: '',
    placeholder: 'from/to',
    check: (part) => (outageOf(part) ? undefined : 'must be two times with a slash between'),
  }),
} as const

/** In milliseconds; undefined when it cannot be read. */
export function outageOf(part: string): { from: number; to: number } | undefined {
  if (!OUTAGE.test(part)) return undefined
  const [from = Number.NaN, to = Number.NaN] = part.split('/').map((time) => Date.parse(time))
  return from < to ? { from, to } : undefined
}
