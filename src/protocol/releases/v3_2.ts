// Release 3.2 (spec 9).

import type { Release } from './release.ts'

export const v3_2 = {
  name: '3.2',
  build: '3.2.2',
  about: 'Calls with `"3.2"`.',
  adds: {
    demographic_predicate: {
      what: 'Signals have `demographic_predicate`.',
    },
    anonymous_discovery: {
      what: 'Capabilities have `signals.anonymous_discovery`.',
    },
    preview_in_capabilities: {
      what: 'Capabilities have `creative.preview.routes`.',
    },
    format_options: {
      what: 'Products have `format_options`.',
    },
    creatives_by_kind: {
      what: '`list_creatives` has `format_kind` and canonical slots in place of `format_id` for creatives that were synced by their kind.',
    },
    rejected_products: {
      what: '`get_products` may answer with the status `rejected`, which is no failure.',
    },
    compact_lifecycle: {
      what: 'The tasks `list_products`, `request_proposals`, `refine_proposals`, `decline_proposals`, `buy_products`, `accept_proposal` and `control_media_buy`. Callers of earlier releases get an unknown task.',
    },
    strict_signatures: {
      what: 'Signed requests cover the digest of every body, in padded base64. A server that serves 3.2 reads no others.',
    },
  },
  removes: {
    sums_over_buys: 'Sums over several buys are left to the caller.',
  },
} as const satisfies Release
