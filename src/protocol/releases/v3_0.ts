// Release 3.0 (spec 9): the oldest that a call can name.

import type { TaskError } from '../errors.ts'
import { MEDIA_BUY_STATUSES, TASK_STATUSES } from '../statuses.ts'
import type { Members, Release } from './release.ts'
import { absent, capabilities, everyError, inside, required, whenDone } from './shapes.ts'

const BUYING = [
  'create_media_buy',
  'update_media_buy',
  'buy_products',
  'accept_proposal',
  'control_media_buy',
] as const

export const v3_0 = {
  name: '3.0',
  build: '3.0.26',
  about: 'Calls that name `"3.0"`.',
  adds: {
    status_of_buys: {
      what: '`status` of `create_media_buy` and `update_media_buy` is the status of the media buy, as in `media_buy_status`.',
      shapes: ['create_media_buy', 'update_media_buy'].map((task) => ({
        task,
        of: 'response',
        instead: { status: { enum: [...new Set([...TASK_STATUSES, ...MEDIA_BUY_STATUSES])] } },
      })),
    },
    bare_conflicts: {
      what: '`IDEMPOTENCY_CONFLICT` has only a code and a message.',
      up: { error: bareConflict },
      shapes: [
        {
          of: 'response',
          with: everyError(conflictWithout('field', 'suggestion', 'recovery', 'details')),
          without: everyError(conflictWithout('field', 'suggestion')),
        },
      ],
    },
    submitted_until_decided: {
      what: 'A call that changes media buys and waits for the seller’s decision returns `submitted`; webhooks and `get_task_status` report `input-required`.',
      up: BUYING.map((task) => ({ task, answer: submitted })),
    },
    lists_of_nothing: {
      what: '`get_signals` returns an empty list `signals` if nothing has changed.',
      shapes: [
        {
          task: 'get_signals',
          of: 'response',
          with: whenDone(required('signals')),
          without: whenDone({ oneOf: [required('signals'), required('unchanged')] }),
        },
      ],
    },
    providers_of_signals: {
      what: 'Capabilities have `signals.data_provider_domains`.',
      shapes: [capabilities({ without: inside('signals', absent('data_provider_domains')) })],
    },
    https_identity: {
      what: 'Capabilities have `identity.brand_json_url` only if it is an https URL.',
      shapes: [capabilities({ with: inside('identity.brand_json_url', { pattern: '^https://' }) })],
    },
    documented_methods: {
      what: 'Capabilities list signed methods only by names such as `tasks/cancel`; `tools/call` is not listed as a method, only its tasks are.',
      shapes: [
        capabilities({
          with: inside('request_signing', {
            properties: Object.fromEntries(
              ['required', 'warn', 'supported'].map((kind) => [
                `protocol_methods_${kind}_for`,
                { items: { pattern: '/', not: { const: 'tools/call' } } },
              ]),
            ),
          }),
        }),
      ],
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

/**
 * In 3.x, `input-required` in a response asks the caller itself, and the seller's decision is an outside dependency.
 * A question to the caller has `errors`.
 */
function submitted(answer: Members): Members {
  const { status, task_id, errors } = answer
  const isDecision = status === 'input-required' && task_id !== undefined && errors === undefined
  return isDecision ? { ...answer, status: 'submitted' } : answer
}

function conflictWithout(...names: readonly string[]) {
  return {
    if: { properties: { code: { const: 'IDEMPOTENCY_CONFLICT' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: absent(...names),
  }
}

/** It contains nothing that could come from the earlier request. */
function bareConflict(error: TaskError): TaskError {
  const { code, message } = error
  return code === 'IDEMPOTENCY_CONFLICT' ? ({ code, message } as TaskError) : error
}
