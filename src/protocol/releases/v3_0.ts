// Release 3.0 (spec 9): the oldest that a call can name.

import type { TaskError } from '../errors.ts'
import type { Release } from './release.ts'

export const v3_0 = {
  name: '3.0',
  build: '3.0.26',
  about: 'Calls that name `"3.0"`.',
  adds: {
    status_of_buys: {
      what: '`status` of `create_media_buy` and `update_media_buy` is the status of the media buy, as in `media_buy_status`.',
    },
    bare_conflicts: {
      what: '`IDEMPOTENCY_CONFLICT` has only a code and a message.',
      up: { error: bareConflict },
    },
    lists_of_nothing: {
      what: '`get_signals` returns an empty list `signals` if nothing has changed.',
    },
    providers_of_signals: {
      what: 'Capabilities have `signals.data_provider_domains`.',
    },
    https_identity: {
      what: 'Capabilities have `identity.brand_json_url` only if it is an https URL.',
    },
    documented_methods: {
      what: 'Capabilities list signed methods only by names such as `tasks/cancel`; `tools/call` is not listed as a method, only its tasks are.',
    },
    first_scenarios: {
      what: 'Capabilities of a sandbox list only the scenarios that the 3.0 schema defines.',
    },
  },
  removes: {
    anonymous_discovery: 'The schemas of 3.0 and 3.1 do not have it.',
  },
  // Only clients of 3.0 name a major version without a release.
  keptByMajor: ['status_of_buys', 'bare_conflicts', 'lists_of_nothing', 'first_scenarios'],
} as const satisfies Release

/** It contains nothing that could come from the earlier request. */
function bareConflict(error: TaskError): TaskError {
  const { code, message } = error
  return code === 'IDEMPOTENCY_CONFLICT' ? ({ code, message } as TaskError) : error
}
