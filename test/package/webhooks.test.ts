import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bytesOf, compile, type Installed, installWebhooks, ROOT, run } from './install.ts'

let installed: Installed
let isOffline = false
beforeAll(async () => {
  const got = await installWebhooks()
  if (got) installed = got
  else {
    isOffline = true
    console.error('NOT TESTED: adwire-webhooks, since npm can reach no packages from here')
  }
})
beforeEach((context) => context.skip(isOffline, 'npm can reach no packages'))
afterAll(() => installed?.remove())

test('installed with its dependencies it takes less than 15 MB, and has nothing of the server', () => {
  expect(bytesOf(join(installed.folder, 'node_modules'))).toBeLessThan(15_000_000)
  const about = readFileSync(
    join(installed.folder, 'node_modules/adwire-webhooks/package.json'),
    'utf8',
  )
  const { dependencies } = JSON.parse(about) as { dependencies: Record<string, string> }
  expect(Object.keys(dependencies)).toEqual(['ipaddr.js', 'jose', 'tldts', 'tr46', 'undici', 'zod'])
  const folders = new Set(installed.files.map((path) => path.split('/').slice(0, 2).join('/')))
  expect([...folders].filter((path) => path.startsWith('dist/')).sort()).toEqual([
    'dist/key-discovery',
    'dist/lib',
    'dist/protocol',
    'dist/receiver',
    'dist/sender',
    'dist/signing',
    'dist/storage',
    'dist/webhooks',
  ])
  expect(installed.files.filter((path) => path.endsWith('.sql')).sort()).toEqual(
    [
      'nonces/0001-baseline',
      'quotas/0001-baseline',
      'receiver/0001-baseline',
      'sender/0001-baseline',
      'sender/0002-shards',
    ].map((name) => `dist/storage/migrations/${name}.sql`),
  )
})

test('every dependency has the version that the server is tested with', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const small = read(join(installed.folder, 'node_modules/adwire-webhooks/package.json'))
  const whole = read(join(ROOT, 'package.json'))
  expect(whole.dependencies).toMatchObject(small.dependencies)
  expect([small.version, small.engines]).toEqual([whole.version, whole.engines])
})

test('a driver that is not installed is named', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', DRIVERLESS], {
    cwd: installed.folder,
  })
  const sqlite = '@photostructure/sqlite'
  const reported = [
    `a SQLite file needs the package ${sqlite}: npm install ${sqlite}`,
    'a PostgreSQL needs the package pg: npm install pg',
  ]
  expect(stdout.trim().split('\n')).toEqual([...reported, ...reported])
})

const DRIVERLESS = `
import { openReceiverStorage } from 'adwire-webhooks/receiver'
import { openSenderStorage } from 'adwire-webhooks/sender'
for (const open of [openSenderStorage, openReceiverStorage]) {
  for (const options of [{ dataDir: 'data' }, { databaseUrl: 'postgres://127.0.0.1/x' }]) {
    await open(options).catch(({ message }) => console.log(message))
  }
}
`

test('spec 6.4: in strict TypeScript a webhook is signed, sent, received and applied once', async () => {
  for (const name of ['@photostructure/sqlite', '@types/node', 'undici-types']) {
    const link = join(installed.folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
  const { code, stdout } = await compile(
    installed.folder,
    { 'program.ts': PROGRAM },
    { types: ['node'] },
  )
  expect([stdout, code]).toEqual(['', 0])
  const ran = await run(process.execPath, ['out/program.js'], { cwd: installed.folder })
  expect([ran.stderr, ran.stdout.trim().split('\n')]).toEqual([
    '',
    ['200 200', 'applied task-1,task-2'],
  ])
})

const PROGRAM = `
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress, createReceiver, nodeHandler, openReceiverStorage } from 'adwire-webhooks/receiver'
import { createSecretBox, createSender, openSenderStorage, subjectOfTask } from 'adwire-webhooks/sender'
import { generateKeyPair, localSigner, signMessage, webhookProfile } from 'adwire-webhooks/signing'

const names = { tag: 'proto/webhook-signing/v1', keyUse: 'proto_use' }
const { publicJwk, privateJwk } = generateKeyPair('ed25519', {
  keyUse: names.keyUse, purpose: 'webhook-signing', kid: 'key-1',
})
const signer = localSigner(privateJwk)
const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })

const seller = createServer((request, response) => {
  const documents: Record<string, object> = {
    '/.well-known/brand.json': { agents: [{ type: 'signals', id: 'demo', url: agentUrl }] },
    '/.well-known/jwks.json': { keys: [publicJwk] },
  }
  const document = documents[request.url ?? '']
  response.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}))
}).listen(0, '127.0.0.1')
await once(seller, 'listening')
const agentUrl = \`http://127.0.0.1:\${(seller.address() as AddressInfo).port}/agent\`

const inbox = await openReceiverStorage({ dataDir: 'buyer' })
const applied: string[] = []
const receiver = createReceiver({
  ...inbox,
  routes: [{ name: 'signals', mode: 'rfc9421' }],
  sellers: [{ agentUrl }],
  egress,
  handle: async ({ task_id }) => {
    applied.push(String(task_id))
  },
  onFault: console.error,
})
receiver.start()
const buyer = createServer().listen(0, '127.0.0.1')
await once(buyer, 'listening')
const baseUrl = \`http://127.0.0.1:\${(buyer.address() as AddressInfo).port}\`
buyer.on('request', nodeHandler(receiver, { baseUrl }))
const url = \`\${baseUrl}/hooks/signals\`

// The same message twice, signed afresh each time.
const body = Buffer.from(JSON.stringify({
  idempotency_key: randomUUID(), task_id: 'task-1', task_type: 'activate_signal',
  status: 'completed', timestamp: new Date().toISOString(), operation_id: 'op-1', result: {},
}))
const headers = { 'content-type': 'application/json' }
async function send(): Promise<number> {
  const now = Date.now() / 1_000
  const message = { method: 'POST', url, headers, body }
  const signed = await signMessage(message, { signer, profile: webhookProfile(names), now })
  if (!signed.ok) throw new Error(signed.detail)
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...signed.headers }, body })
  return answer.status
}
console.log(await send(), await send())

// And one by the sender.
const outbox = await openSenderStorage({ dataDir: 'seller' })
const box = createSecretBox('32 or more characters from a vault')
const sender = createSender({
  ...outbox, egress, box, signer: async () => signer, onFault: console.error,
})
sender.start()
const subject = subjectOfTask('task-2')
const wanted = { owner: 'buyer', subject, name: 'push', form: 'mcp' } as const
const checked = sender.check({ ...wanted, config: { url, operation_id: 'op-2' } })
if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
await outbox.transact((tx) => sender.register(tx, checked.channel))
await outbox.transact(async (tx) => {
  const task = { owner: 'buyer', task_id: 'task-2', task_type: 'activate_signal', domain: 'signals' }
  await sender.taskChanged(tx, { ...task, status: 'completed', result: {}, at: await tx.now() })
})
while (applied.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
await sender.stop()
await receiver.stop()
console.log('applied', applied.join())
process.exit(0)
`
