// Activation on a sales agent (spec 2.8): the signal is a key-value pair in the media buy's targeting, so there is
// nothing to wait for.

import type { Connector } from './connector.ts'

export const AGENT_KEY = 'adwire_signal'

/** The value belongs to one run: no one who did not receive it can guess it, and it becomes invalid with its run. */
export const agentConnector: Connector = {
  activate: async ({ activation_id }) => ({
    status: 'live',
    key: { type: 'key_value', key: AGENT_KEY, value: activation_id },
  }),
  deactivate: async () => ({ status: 'off' }),
}
