// Size limits of a delivery source's answer.

import { defineLimits } from '../../lib/limit.ts'

const NOT_YET = 'the figures count as pending and are requested again'

export const SOURCE_LIMITS = defineLimits({
  answerBytes: {
    what: 'answer of a delivery source',
    value: 4 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: NOT_YET,
  },
  windows: {
    what: 'windows in one request to a delivery source',
    value: 500,
    unit: '',
    beyond: 'split into several requests',
  },
  packages: {
    what: 'packages in a window of a delivery source',
    value: 200,
    unit: '',
    beyond: NOT_YET,
  },
  entries: {
    what: 'entries in one answer of a delivery source that a program brings along, or one for each package and window where those are more',
    value: 100_000,
    unit: '',
    beyond: NOT_YET,
  },
  metrics: {
    what: 'further metrics of a package that are kept',
    value: 20,
    unit: '',
    beyond: 'the rest is left out',
  },
  cells: {
    what: 'windows × packages in one request to a delivery source',
    value: 4_000,
    unit: '',
    beyond: 'split into several requests',
  },
  fileBytes: {
    what: 'file of deliveries',
    value: 256 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: NOT_YET,
  },
})
