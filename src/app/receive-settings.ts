// The settings that only `adwire receive` has; its other options are settings it shares with a server, and its flags.

import { DUPLICATE_POLICIES } from '../webhooks/receiver/outcomes.ts'
import { oneOf } from './setting.ts'

export const RECEIVE_SETTINGS = {
  webhookDuplicates: oneOf({
    env: 'ADWIRE_WEBHOOK_DUPLICATES',
    about:
      'What is answered for a key that is known: first-wins, always 200; or strict, as 3.2 has it: 409 for ' +
      'another body, 503 for a copy of what is not applied yet.',
    default: 'first-wins',
    placeholder: 'policy',
    values: [...DUPLICATE_POLICIES],
  }),
} as const
