// The settings that only `adwire receive` has; its other options are settings it shares with a server, and its flags.

import { DUPLICATE_POLICIES } from '../webhooks/receiver/outcomes.ts'
import { oneOf } from './setting.ts'

export const RECEIVE_SETTINGS = {
  webhookDuplicates: oneOf({
    env: 'ADWIRE_WEBHOOK_DUPLICATES',
    about:
      'Response to a known idempotency key: first-wins always returns 200; strict follows 3.2 and returns 409 for a different body, and 503 for a copy of a message that is not yet processed.',
    default: 'first-wins',
    placeholder: 'policy',
    values: [...DUPLICATE_POLICIES],
  }),
} as const
