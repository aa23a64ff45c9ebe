// A program that sends webhooks with the library, and kills itself at the given point. It runs once to die and once
// more, without a point, to send what was left.

import {
  createEgress,
  createSecretBox,
  createSender,
  localSigner,
  openSenderStorage,
  subjectOfTask,
} from '../../../dist/sender/index.js'

const {
  point,
  storage: where,
  urls,
  privateJwk,
  leaseMs,
  attemptTimeoutMs,
} = JSON.parse(process.argv[2])
const die = () => process.kill(process.pid, 'SIGKILL')
/** For ever: the signal needs a moment, in which nothing else must happen. */
const dieHere = () => {
  die()
  return new Promise(() => {})
}

const storage = await openSenderStorage(where)
const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
let isStopping = false
let written = 0
const sender = createSender({
  ...storage,
  outbox: { ...storage.outbox, claim, record },
  egress: { checkUrl: egress.checkUrl, fetch },
  box: createSecretBox('a secret of thirty-two characters'),
  signer: async () => localSigner(privateJwk),
  attemptTimeoutMs,
  leaseMs,
  onFault: (error) => process.stderr.write(`${error}\n`),
})

async function claim(tx, request) {
  const claimed = await storage.outbox.claim(tx, request)
  if (point === 'in the claim' && claimed.claimed.length > 0) await dieHere()
  return claimed
}

async function fetch(request) {
  if (point === 'after the attempt row') await dieHere()
  if (point === 'while stopping' && !isStopping) {
    isStopping = true
    void sender.stop()
  }
  const answer = await egress.fetch(request)
  if (point === 'after the response' || point === 'while stopping') await dieHere()
  return answer
}

async function record(tx, results) {
  if (point !== 'between results') {
    const counted = await storage.outbox.record(tx, results)
    if (point === 'in the result') await dieHere()
    return counted
  }
  const counted = await storage.outbox.record(tx, results.slice(0, 1))
  written += 1
  if (results.length > 1 || written > 1) await dieHere()
  return counted
}

async function emitAll() {
  await storage.transact(async (tx) => {
    for (const [index, url] of urls.entries()) {
      const task_id = `task-${index}`
      const wanted = {
        owner: 'buyer',
        subject: subjectOfTask(task_id),
        name: 'push',
        form: 'mcp',
        config: { url },
      }
      const checked = sender.check(wanted)
      if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
      await sender.register(tx, checked.channel)
      await sender.taskChanged(tx, {
        owner: 'buyer',
        task_id,
        task_type: 'simulate_task',
        domain: 'tasks',
        status: 'completed',
        at: await tx.now(),
        result: {},
      })
    }
    if (point === 'before the commit') await dieHere()
  })
  if (point === 'after the commit') await dieHere()
}

if (point !== 'nowhere') await emitAll()
sender.start()
if (point === 'nowhere') {
  for (;;) {
    const { waiting } = await sender.stats()
    if (waiting.pending + waiting.leased + waiting.held === 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await sender.stop()
  await egress.close()
  await storage.close()
}
