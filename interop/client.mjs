// The SDK's client as a buyer uses it: it finds the agent, and calls a task of each role.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { createTestClient } = require('@adcp/sdk/testing')

const ACCOUNT = {
  brand: { domain: 'acmeoutdoor.example' },
  operator: 'pinnacle-agency.example',
  sandbox: true,
}

const CALLS = {
  get_adcp_capabilities: {},
  list_creative_formats: {},
  get_signals: { signal_spec: 'people about to buy an electric vehicle', account: ACCOUNT },
  get_products: { buying_mode: 'brief', brief: 'sports video', account: ACCOUNT },
  list_accounts: {},
  list_creatives: { account: ACCOUNT },
  build_creative: {
    message: 'A summer sale of outdoor gear, 40 % off.',
    target_format_id: { agent_url: 'https://your-agent.example', id: 'display_300x250' },
    brand: { domain: 'acmeoutdoor.example' },
    idempotency_key: `interop-${Date.now()}-build`,
  },
}

export async function callWithClient({ url, transport, keys }) {
  const auth = { type: 'bearer', token: keys['Acme Outdoor'] }
  const client = createTestClient(`${url}${transport === 'mcp' ? '/mcp' : ''}`, transport, { auth })
  const steps = []
  for (const [task, request] of Object.entries(CALLS)) {
    const reason = await client
      .executeTask(task, request)
      .then(({ success, error }) => (success ? undefined : String(error)))
      .catch((error) => String(error))
    steps.push(reason ? { id: task, outcome: 'failed', reason } : { id: task, outcome: 'passed' })
  }
  const id = `client, ${transport}`
  return { id, title: id, steps }
}
