// The parts that operators need to act on endpoints and received messages.

import type { Parts } from './parts.ts'

export function consoleOperations({ config, storage }: Parts) {
  return {
    recoveries: storage.recoveries,
    endpointLimits: storage.endpointLimits,
    received: storage.received,
    inboxOperations: storage.inboxOperations,
    limits: {
      concurrency: config.webhookEndpointConcurrency,
      timeout_ms: config.webhookTimeoutSeconds * 1_000,
    },
  }
}
