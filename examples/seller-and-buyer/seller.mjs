// The seller: activates signals in the background and notifies the buyer by webhook.

import { createServer } from 'node:http'
import {
  createEgress,
  createSecretBox,
  createSender,
  localSigner,
  openSenderStorage,
  subjectOfTask,
} from 'adwire/sender'
import { generateKeyPair } from 'adwire/signing'

export async function startSeller(dataDir) {
  const purpose = { keyUse: 'proto_use', purpose: 'webhook-signing', kid: 'seller-key-1' }
  const { publicJwk, privateJwk } = generateKeyPair('ed25519', purpose)
  const storage = await openSenderStorage({ dataDir })
  // Only for this example: outside of it a buyer's URL is public and https, as by default.
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  const sender = createSender({
    ...storage,
    egress,
    box: createSecretBox('32 or more characters from a vault'),
    signer: async () => localSigner(privateJwk),
    onFault: console.error,
  })
  sender.start()

  // What the buyer needs to verify: the agent in brand.json, and its key.
  const server = createServer((request, response) => {
    const documents = {
      '/.well-known/brand.json': { agents: [{ type: 'signals', id: 'demo', url: agentUrl() }] },
      '/.well-known/jwks.json': { keys: [publicJwk] },
    }
    const document = documents[request.url]
    response.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}))
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const agentUrl = () => `http://127.0.0.1:${server.address().port}/agent`

  return {
    agentUrl: agentUrl(),

    /** Takes a call of activate_signal: the task and its webhook are kept together. */
    async activate(task_id, push_notification_config) {
      const wanted = { owner: 'buyer', subject: subjectOfTask(task_id), name: 'push', form: 'mcp' }
      const checked = sender.check({ ...wanted, config: push_notification_config })
      if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
      await storage.transact((tx) => sender.register(tx, checked.channel))
    },

    /** A task has changed: the change would be written in the same transaction. */
    async change(task_id, status, result) {
      await storage.transact(async (tx) => {
        const task = { owner: 'buyer', task_id, task_type: 'activate_signal', domain: 'signals' }
        await sender.taskChanged(tx, { ...task, status, result, at: await tx.now() })
      })
    },

    /** Whether the buyer has acknowledged everything. */
    async isDone() {
      const { pending, leased, held } = (await sender.stats()).waiting
      return pending + leased + held === 0
    },

    async stop() {
      await sender.stop()
      await egress.close()
      await storage.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
