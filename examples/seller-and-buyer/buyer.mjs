// The buyer: a server of its own with the receiver mounted at /hooks. Its own table lives beside the
// inbox, so what a webhook does and the mark that it was applied are one commit.
//
//   node buyer.mjs <data folder> <port> <the seller's agent URL>

import { createServer } from 'node:http'
import {
  createEgress,
  createReceiver,
  nodeHandler,
  openReceiverStorage,
  sqlOf,
} from 'adwire/receiver'

const [dataDir, port, agentUrl] = process.argv.slice(2)

const storage = await openReceiverStorage({ dataDir })
await storage.transact((tx) =>
  sqlOf(tx).run(
    'CREATE TABLE IF NOT EXISTS activations (task_id TEXT, status TEXT, activation_key TEXT)',
  ),
)

const receiver = createReceiver({
  ...storage,
  routes: [{ name: 'signals', mode: 'rfc9421' }],
  sellers: [{ agentUrl }],
  egress: createEgress({ allow: ['127.0.0.0/8'], allowHttp: true }),
  leaseMs: 2_000, // how soon the next process takes up what a killed one had begun
  handleInTransaction: ({ task_id, status, data }, tx) =>
    sqlOf(tx).run('INSERT INTO activations VALUES ($1, $2, $3)', [
      task_id,
      status,
      data?.activation_key ?? null,
    ]),
  onFault: console.error,
})
receiver.start()

const server = createServer(nodeHandler(receiver, { baseUrl: `http://127.0.0.1:${port}` }))
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))

process.on('SIGTERM', async () => {
  server.close()
  server.closeIdleConnections()
  await receiver.stop()
  await storage.close()
  process.exit(0)
})
