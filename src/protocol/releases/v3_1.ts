// Release 3.1 (spec 9).

import type { Release } from './release.ts'
import { absent, capabilities, inside } from './shapes.ts'

export const v3_1 = {
  name: '3.1',
  build: '3.1.24',
  about: 'Calls that name `"3.1"`.',
  adds: {
    restricted_attributes: {
      what: 'Signals have `restricted_attributes`.',
      shapes: [
        {
          task: 'get_signals',
          of: 'response',
          without: inside('signals[]', absent('restricted_attributes')),
        },
      ],
    },
    formats_in_capabilities: {
      what: 'Capabilities have `creative.supported_formats`.',
      shapes: [capabilities({ without: inside('creative', absent('supported_formats')) })],
    },
  },
  removes: {
    status_of_buys:
      '`status` is the status of the task, and `media_buy_status` is the status of the media buy.',
    bare_conflicts:
      '`IDEMPOTENCY_CONFLICT` also has `recovery`, but neither `field` nor `suggestion`.',
    lists_of_nothing: 'A `get_signals` response with `unchanged: true` has no `signals` list.',
    first_scenarios: 'All scenarios of a sandbox are listed.',
  },
} as const satisfies Release
