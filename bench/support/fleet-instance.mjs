// One instance of the fleet in bench/fleet.mjs: fills the queue and ends, or delivers from it.
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'

const { url, sink, inFlight, dist, fill } = JSON.parse(process.argv[2])
const load = (file) => import(pathToFileURL(`${dist}/${file}`).href)
const { createEgress, createSecretBox, createSender, openSenderStorage } =
  await load('sender/index.js')
const { generateKeyPair, localSigner } = await load('signing/index.js')

/** Paths of the receiver: an endpoint has no more than eight under way over the fleet. */
const ENDPOINTS = 64
const BATCH = 1_000
const DAY_MS = 86_400_000

const { privateJwk } = generateKeyPair('ed25519', {
  keyUse: 'proto_use',
  purpose: 'webhook-signing',
})
const signer = localSigner(privateJwk)
const storage = await openSenderStorage({ databaseUrl: url })
const sender = createSender({
  ...storage,
  egress: createEgress({ allow: ['127.0.0.0/8'], allowHttp: true }),
  box: createSecretBox(Buffer.alloc(32, 7).toString('base64')),
  signer: async () => signer,
  concurrency: inFlight,
  onFault: (error) => console.error(error),
})

if (fill) {
  const channels = await register()
  for (let first = 0; first < fill; first += BATCH) await add(channels, first)
  await storage.close()
  process.send('filled')
  process.disconnect()
} else {
  process.once('message', () => sender.start())
  process.send('ready')
}

function register() {
  return storage.transact(async (tx) => {
    const channels = []
    for (let n = 0; n < ENDPOINTS; n++) {
      const { channel } = sender.check({
        owner: `bench-${n % 8}`,
        subject: `endpoint-${n}`,
        name: 'push_notification_config',
        form: 'mcp',
        config: { url: `${sink}/hooks/${n}`, operation_id: 'op' },
      })
      channels.push(await sender.register(tx, channel))
    }
    return channels
  })
}

function add(channels, first) {
  const deliveries = Array.from({ length: Math.min(BATCH, fill - first) }, (_, index) => ({
    channel: { ...channels[(first + index) % ENDPOINTS], subject: `queue-${first + index}` },
    task_id: undefined,
    operation_id: 'op',
    notification_type: 'working',
    sequence_number: undefined,
    idempotency_key: randomUUID(),
    body: Buffer.from(JSON.stringify({ task_id: `task-${first + index}`, status: 'working' })),
  }))
  return storage.transact((tx) => storage.outbox.add(tx, deliveries, DAY_MS))
}
