// What a reader of the registry may request at once.

import { defineLimits } from '../../../lib/limit.ts'
import { CATALOGUE_LIMITS } from '../../../registry/catalogue-limits.ts'
import { FEED_LIMITS } from '../../../registry/feed.ts'
import { LIST_LIMITS } from '../../../registry/list-references.ts'

export const REGISTRY_LIMITS = defineLimits({
  ...LIST_LIMITS,
  ...FEED_LIMITS,
  ...CATALOGUE_LIMITS,
  changesPerMinute: {
    what: 'changes of one registry caller',
    value: 600,
    unit: 'a minute',
    setting: 'ADWIRE_REGISTRY_WRITES_PER_MINUTE',
    beyond: '429 with `Retry-After`, before the body is read',
  },
  streams: {
    what: 'streams of the change feed on an instance',
    value: 100,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  streamsOfOne: {
    what: 'streams of the change feed of one caller',
    value: 10,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
})
