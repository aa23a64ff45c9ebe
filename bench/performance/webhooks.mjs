// The webhook that senders and receivers are measured with: a status of a task, some 400 bytes.
import { randomUUID } from 'node:crypto'
import { generateKeyPair } from '../../dist/signing/index.js'

const AGENT = 'https://seller.example/agent'

export const KEYS = generateKeyPair('ed25519', { keyUse: 'proto_use', purpose: 'webhook-signing' })
export { AGENT }

export function webhookBody() {
  return Buffer.from(
    JSON.stringify({
      idempotency_key: randomUUID(),
      operation_id: randomUUID(),
      task_id: randomUUID(),
      task_type: 'build_creative',
      domain: 'creative',
      protocol: 'creative',
      status: 'completed',
      timestamp: new Date().toISOString(),
      message: 'the creative is ready',
      result: {
        creative_manifest: { format_id: { agent_url: AGENT, id: 'display_300x250_image' } },
      },
    }),
  )
}
