// A buyer: finds signals at an agent, activates the best one on a platform, waits for the agent's webhook, and prints
// the key to target with. Started again with the operation it printed, it takes up the wait where it was left.
//
//   npm run build && node examples/buyer/buyer.mjs <agent URL> <key> [words to search by]
//   node examples/buyer/buyer.mjs <agent URL> <key> --resume <operation id>

import { once } from 'node:events'
import { createServer } from 'node:http'
import { openAgent } from 'adwire/client'
import { createEgress, createReceiver, nodeHandler, openReceiverStorage } from 'adwire/receiver'

const [agentUrl, auth, ...words] = process.argv.slice(2)
const { BUYER_DATA: dataDir = 'buyer-data', BUYER_PORT: port = '8090' } = process.env
const home = `http://127.0.0.1:${port}`
// Only for trying it out on one machine: leave both out, and only public https addresses are reached.
const loopback = { allow: ['127.0.0.0/8'], allowHttp: true }
const allowPrivate = true

// Webhooks come in here. What was verified is stored before it is acknowledged.
const storage = await openReceiverStorage({ dataDir })
const egress = createEgress(loopback)
const receiver = createReceiver({
  ...storage,
  egress,
  routes: [{ name: 'signals', mode: 'rfc9421' }],
  sellers: [{ agentUrl }],
  onFault: console.error,
})
receiver.start()
const server = createServer(nodeHandler(receiver, { baseUrl: home })).listen(
  Number(port),
  '127.0.0.1',
)
await once(server, 'listening')

const agent = openAgent({
  agentUrl,
  auth,
  allowPrivate,
  receiver: { urlFor: () => `${home}/hooks/signals`, waitFor: receiver.waitFor },
})
const activated = words[0] === '--resume' ? await resume(words[1]) : await activate(words.join(' '))
if (activated?.ok) {
  for (const { platform, activation_key } of activated.body.deployments) {
    console.log(`${platform}: ${JSON.stringify(activation_key)} (told by ${activated.by})`)
  }
} else if (activated) {
  console.error(`not activated: ${activated.error.message}`)
  process.exitCode = 1
}

await agent.close()
server.close()
server.closeAllConnections()
await receiver.stop()
await egress.close()
await storage.close()

function resume(operationId) {
  return agent.resume({ task: 'activate_signal', operationId })
}

async function activate(preference) {
  const sandbox = [{ type: 'platform', platform: 'sandbox' }]
  const found = await agent.getSignals({
    signal_spec: preference || 'people about to buy an electric car',
    deliver_to: { deployments: sandbox, countries: ['US'] },
  })
  if (!found.ok) return found
  const [best] = found.body.signals
  console.log(`found ${best.signal_agent_segment_id}: ${best.name}`)
  const operationId = crypto.randomUUID()
  console.log(`operation ${operationId}`)
  const { signal_agent_segment_id } = best
  const request = { signal_agent_segment_id, deployments: sandbox }
  return agent.activateSignal(request, { operationId, timeoutMs: 120_000 })
}
