// One run of a sender in a process of its own: events are added by callers that wait for their commit, while they are
// delivered. Prints {rate, cpuUs}. argv: a JSON object {side, url, count, inFlight, privateJwk, dataDir | databaseUrl}
import { randomBytes } from 'node:crypto'
import {
  createEgress,
  createSecretBox,
  createSender,
  openSenderStorage,
} from '../../../dist/sender/index.js'
import { localSigner } from '../../../dist/signing/index.js'
import { openMinimalSender } from '../../minima/sender.mjs'
import { webhookBody } from '../webhooks.mjs'

const { side, url, count, inFlight, privateJwk, ...where } = JSON.parse(process.argv[2])
const sender = await (side === 'own' ? openOwn() : openMinimum())

const before = process.cpuUsage()
const began = performance.now()
let next = 0
const emit = async () => {
  while (next < count) await sender.emit(next++)
}
await Promise.all(Array.from({ length: inFlight }, emit))
while ((await sender.delivered()) < count) await new Promise((resolve) => setTimeout(resolve, 10))
const seconds = (performance.now() - began) / 1_000
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ rate: count / seconds, cpuUs: (user + system) / count }))
await sender.close()
process.exit(0)

async function openMinimum() {
  const minimum = await openMinimalSender({ url, inFlight, privateJwk, ...where })
  return { ...minimum, emit: () => minimum.emit(webhookBody()) }
}

/** Each event is one of a task of its own, as in production. */
async function openOwn() {
  const storage = await openSenderStorage(where)
  const signer = localSigner(privateJwk)
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  const own = createSender({
    ...storage,
    egress,
    box: createSecretBox(randomBytes(32).toString('base64')),
    signer: async () => signer,
    concurrency: inFlight,
    perEndpoint: inFlight,
    onFault: (error) => console.error(error),
  })
  await registerAll(storage, own)
  own.start()
  return {
    emit: (n) => storage.transact((tx) => own.taskChanged(tx, eventOf(n))),
    delivered: async () => {
      const { waiting } = await own.stats()
      return waiting.pending + waiting.leased + waiting.held === 0 ? count : 0
    },
    close: async () => {
      await own.stop()
      await egress.close()
      await storage.close()
    },
  }
}

async function registerAll(storage, own) {
  for (let first = 0; first < count; first += 500) {
    await storage.transact(async (tx) => {
      for (let n = first; n < Math.min(first + 500, count); n++) {
        const checked = own.check({
          owner: 'bench',
          subject: `task:task-${n}`,
          name: 'push_notification_config',
          form: 'mcp',
          config: { url, operation_id: `op-${n}` },
        })
        await own.register(tx, checked.channel)
      }
    })
  }
}

function eventOf(n) {
  return {
    owner: 'bench',
    task_id: `task-${n}`,
    task_type: 'build_creative',
    domain: 'creative',
    status: 'completed',
    at: Date.now(),
    message: 'the creative is ready',
    result: {
      creative_manifest: {
        format_id: { agent_url: 'https://seller.example/agent', id: 'display_300x250_image' },
      },
    },
  }
}
