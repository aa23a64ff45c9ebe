// Calls that name no version and use a member that only 3.x has (spec 9): the names and rules shared by all 3.x
// releases.

import { newNameOfCode } from './features.ts'
import { withPath, withPaths } from './paths-in-errors.ts'
import { DEFAULT_RELEASE, type Members, type Release } from './release.ts'
import { absent, everyError, inside, required, whenDone } from './shapes.ts'

/** Only a repeated key is reported by its code alone, in the releases that say so. */
const REPORTED = {
  anyOf: [required('recovery'), { properties: { code: { const: 'IDEMPOTENCY_CONFLICT' } } }],
}

export const unnamed = {
  name: '3.x',
  about: 'These are calls that name no version and use a member that exists only in 3.x.',
  answeredAs: DEFAULT_RELEASE,
  adds: {
    keys_of_changes: {
      what: 'A call that changes something requires `idempotency_key`, and the response repeats it.',
      shapes: [{ of: 'request', onlyChanges: true, with: required('idempotency_key') }],
    },
    paths_in_errors: {
      what: '`field` of an error is a path (`packages[0].budget`) instead of a JSON pointer.',
      up: { error: withPath, row: withPaths },
      shapes: [
        {
          of: 'response',
          with: everyError(inside('field', { pattern: '^[^/]' })),
          without: everyError(inside('field', { pattern: '^(/|$)' })),
        },
      ],
    },
    recovery_of_every_error: {
      what: 'The `error` of a creative task has a `recovery` member, like each entry of `errors`.',
      up: { row: withRecovery },
      shapes: [{ of: 'response', with: inside('error', REPORTED) }],
    },
    search_by_reference: {
      what: '`get_signals` requires one of `signal_spec`, `signal_refs` and `signal_ids`, or `discovery_mode` `wholesale`; `activate_signal` requires `destinations`.',
      shapes: [
        {
          task: 'get_signals',
          of: 'request',
          with: {
            anyOf: [
              ...['signal_spec', 'brief', 'signal_refs', 'signal_ids'].map((one) => required(one)),
              {
                ...required('discovery_mode'),
                properties: { discovery_mode: { const: 'wholesale' } },
              },
            ],
          },
        },
      ],
    },
    scope_of_caches: {
      what: 'The response of `get_signals` always has `cache_scope`.',
      shapes: [
        {
          task: 'get_signals',
          of: 'response',
          with: whenDone(required('cache_scope')),
          without: absent('cache_scope'),
        },
      ],
    },
    notes_of_activations: {
      what: 'A response of `activate_signal` has either `deployments` or `errors`; warnings in addition to deployments are in `ext.activation_notes`.',
      up: { task: 'activate_signal', answer: withNotes },
      shapes: [
        {
          task: 'activate_signal',
          of: 'response',
          with: { not: required('deployments', 'errors') },
        },
      ],
    },
    canonical_slots: {
      what: 'Creatives may name slots by their canonical names, and an image that cannot be fetched is left out, with a note, if the creative has text.',
    },
    named_rows: {
      what: 'Each row of a `preview_creative` batch has `creative_id` and `quality_used`.',
      shapes: [
        {
          task: 'preview_creative',
          of: 'response',
          with: inside('results[]', required('creative_id')),
        },
      ],
    },
    proposals: {
      what: '`get_products` offers proposals, and `create_media_buy` accepts `proposal_id`.',
      shapes: [{ task: 'get_products', of: 'response', without: absent('proposals') }],
    },
  },
  renames: {
    reference_not_found: newNameOfCode(
      { from: 'SIGNAL_AGENT_SEGMENT_NOT_FOUND', to: 'REFERENCE_NOT_FOUND' },
      'The error code `SIGNAL_AGENT_SEGMENT_NOT_FOUND` becomes `REFERENCE_NOT_FOUND`.',
    ),
  },
  removes: {
    required_by_the_specification: 'Targets and countries are optional.',
    all_creatives_or_none: 'Each creative has its own result.',
    macros_of_formats:
      '`supported_macros` lists only macros that are not universal; the complete list is in `ext.supported_macros`.',
  },
} as const satisfies Release

/** For a failed row: `error` has the recovery of the first of `errors`. */
function withRecovery(row: Members): Members {
  const { error, errors } = row
  if (typeof error !== 'object' || error === null || !Array.isArray(errors)) return row
  const recovery: unknown = errors[0]?.recovery
  return recovery === undefined ? row : { ...row, error: { ...error, recovery } }
}

function withNotes(answer: Members): Members {
  const { errors, ext, ...members } = answer
  if (errors === undefined || members.deployments === undefined) return answer
  return { ...members, ext: { ...(ext as object | undefined), activation_notes: errors } }
}
