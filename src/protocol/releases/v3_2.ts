// Release 3.2 (spec 9).

import type { Release } from './release.ts'
import { absent, capabilities, inside, required } from './shapes.ts'

export const v3_2 = {
  name: '3.2',
  build: '3.2.2',
  about: 'Calls that name `"3.2"`.',
  adds: {
    demographic_predicate: {
      what: 'Signals have `demographic_predicate`.',
      shapes: [
        {
          task: 'get_signals',
          of: 'response',
          without: inside('signals[]', absent('demographic_predicate')),
        },
      ],
    },
    anonymous_discovery: {
      what: 'Capabilities have `signals.anonymous_discovery`.',
    },
    preview_in_capabilities: {
      what: 'Capabilities have `creative.preview.routes`.',
      shapes: [capabilities({ without: inside('creative', absent('preview')) })],
    },
    account_notifications: {
      what: 'Capabilities have `account.notifications`.',
      shapes: [capabilities({ without: inside('account', absent('notifications')) })],
    },
    format_options: {
      what: 'Products have `format_options`.',
      shapes: [
        {
          task: 'get_products',
          of: 'response',
          without: inside('products[]', absent('format_options')),
        },
      ],
    },
    creatives_by_kind: {
      what: 'For creatives that were synced by format kind, `list_creatives` returns `format_kind` and canonical slots instead of `format_id`.',
      shapes: [
        {
          task: 'list_creatives',
          of: 'response',
          with: inside('creatives[]', {
            oneOf: [required('format_id'), required('format_kind')],
          }),
          without: inside('creatives[]', { ...required('format_id'), ...absent('format_kind') }),
        },
      ],
    },
    rejected_products: {
      what: '`get_products` may respond with the status `rejected`, which is not an error.',
      shapes: [
        {
          task: 'get_products',
          of: 'response',
          without: { properties: { status: { not: { const: 'rejected' } } } },
        },
      ],
    },
    compact_lifecycle: {
      what: 'The tasks `list_products`, `request_proposals`, `refine_proposals`, `decline_proposals`, `buy_products`, `accept_proposal` and `control_media_buy`. For callers of earlier releases, these tasks do not exist.',
    },
    strict_signatures: {
      what: 'Signed requests must cover the digest of every body, in padded base64. A server that supports 3.2 accepts no other signed requests.',
    },
  },
  removes: {
    sums_over_buys:
      '`get_media_buy_delivery` no longer returns `aggregated_totals`: callers add up several buys themselves.',
  },
} as const satisfies Release
