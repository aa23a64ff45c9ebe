// A server of one's own: Adwire with a task, a connector and a signer that are not Adwire's.
//
//   npm install adwire && npx tsc --module nodenext server.ts && node server.js

import { generateKeyPairSync, sign } from 'node:crypto'
import { type Connector, createApp, defineTask, type HeldKey, makeConfig, z } from 'adwire'

const greet = defineTask({
  ...{ name: 'greet', summary: 'Greets whoever calls', area: 'protocol', access: 'tasks' },
  changes: false,
  request: z.object({ greeting: z.string().max(100).optional() }),
  response: z.object({ text: z.string() }),
  handle: async ({ greeting = 'Hello' }, { principal }) => ({
    text: `${greeting}, ${principal?.name}!`,
  }),
})

const tradeDesk: Connector = {
  activate: async ({ activation_id }) => ({
    status: 'live',
    key: { type: 'segment_id', segment_id: `seg-${activation_id}` },
  }),
  deactivate: async () => ({ status: 'off' }),
}

// Stands for a KMS, which would keep its key from one start to the next.
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const kms: HeldKey = {
  keyid: 'kms-1',
  algorithm: 'ed25519',
  publicJwk: publicKey.export({ format: 'jwk' }),
  sign: async (bytes) => sign(null, bytes, privateKey),
}

const app = await createApp(makeConfig({ demo: true }, process.env), {
  moreTasks: [greet],
  connectors: { 'the-trade-desk': tradeDesk },
  signers: [kms],
})
process.once('SIGTERM', () => app.stop())
const { demoKey } = await app.start()
console.log(JSON.stringify({ url: app.url(), key: demoKey, health: await app.health() }))
