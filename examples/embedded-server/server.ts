// A server of one's own: Adwire with a task, a connector and a signer that are not Adwire's.
//
//   npm install adwire && npx tsc --module nodenext server.ts && node server.js

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  type Connector,
  constantCost,
  createApp,
  defineTask,
  type HeldKey,
  makeConfig,
  z,
} from 'adwire'

const greet = defineTask({
  name: 'greet',
  summary: 'Greets whoever calls',
  area: 'protocol',
  access: 'tasks',
  changes: false,
  cost: constantCost(1, 'nothing'),
  request: z.object({ greeting: z.string().max(100).default('Hello') }),
  response: z.object({ text: z.string() }),
  handle: async ({ greeting }, { principal }) => ({ text: `${greeting}, ${principal?.name}!` }),
})

const tradeDesk: Connector = {
  activate: async (run) => {
    const key = { type: 'segment_id', segment_id: `seg-${run.activation_id}` } as const
    return { status: 'live', key }
  },
  deactivate: async () => ({ status: 'off' }),
}

// Stands for a KMS: it has the key, and the server only what it signs.
if (!existsSync('kms.pem')) {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync('kms.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
}
const privateKey = createPrivateKey(readFileSync('kms.pem'))
const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' })
const signBytes = async (bytes: Uint8Array) => sign(null, bytes, privateKey)
const kms: HeldKey = { keyid: 'kms-1', algorithm: 'ed25519', publicJwk, sign: signBytes }

const parts = { moreTasks: [greet], connectors: { 'the-trade-desk': tradeDesk }, signers: [kms] }
const app = await createApp(makeConfig({ demo: true }, process.env), parts)
process.once('SIGTERM', () => app.stop())
const { demoKey } = await app.start()
console.log(JSON.stringify({ url: app.url(), key: demoKey, health: await app.health() }))
