// Calls that do not name a version and do not use anything that only 3.x has: the form in the specification (spec 9).

import { newMember } from './features.ts'
import { DEFAULT_RELEASE, type Release } from './release.ts'
import { absent, capabilities, inside, required } from './shapes.ts'

export const unversioned = {
  name: 'unversioned',
  about: 'These are calls that name no version and use no member that exists only in 3.x.',
  answeredAs: DEFAULT_RELEASE,
  adds: {
    required_by_the_specification: {
      what: '`get_signals` requires `signal_spec` and `deliver_to`, `activate_signal` requires `deployments`, and a `preview_creative` call for a single creative requires `format_id`.',
      shapes: [
        {
          task: 'get_signals',
          of: 'request',
          with: {
            anyOf: [required('signal_spec'), required('brief')],
            ...required('deliver_to'),
            ...inside('deliver_to', {
              anyOf: [required('deployments'), required('platforms')],
              ...required('countries'),
            }),
          },
        },
      ],
    },
    all_creatives_or_none: {
      what: '`sync_creatives` without `validation_mode` changes either all creatives or none.',
    },
    macros_of_formats: {
      what: 'Formats list every macro that they support in `supported_macros`.',
    },
    anonymous_discovery: {
      what: 'Capabilities have `signals.anonymous_discovery`.',
      shapes: [capabilities({ without: inside('signals', absent('anonymous_discovery')) })],
    },
    sums_over_buys: newMember(
      { task: 'get_media_buy_delivery', name: 'aggregated_totals' },
      '`get_media_buy_delivery` returns `aggregated_totals` if all buys have the same currency.',
    ),
  },
} as const satisfies Release
