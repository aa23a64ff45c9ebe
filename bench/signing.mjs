// Signing and verifying beside the bare cryptography over the same bytes, in one run: on one thread
// for both algorithms, and with the cryptography on the thread pool. Flags: --seconds N.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { parseArgs } from 'node:util'
import {
  checkSignatureOnThreadPool,
  generateKeyPair,
  localSigner,
  memoryReplayStore,
  signMessage,
  threadPoolSigner,
  verifyMessage,
  webhookProfile,
} from '../dist/signing/index.js'

const NOW = 1_790_000_000
const ROUNDS = 15
const IN_FLIGHT = 16
const PROFILE = webhookProfile({ tag: 'bench/webhook-signing/v1', keyUse: 'bench_use' })
const DIGESTS = { ed25519: null, 'ecdsa-p256-sha256': 'sha256' }

export async function run(flags) {
  const { values } = parseArgs({
    args: flags,
    options: { seconds: { type: 'string', default: '0.3' } },
  })
  const ms = Number(values.seconds) * 1_000
  for (const algorithm of ['ed25519', 'ecdsa-p256-sha256']) await compare(algorithm, ms)
}

/** Short rounds in turn, and ratios within a round, so that a busy machine slows both sides. */
async function compare(algorithm, ms) {
  const options = { keyUse: PROFILE.keyUse, purpose: PROFILE.signerPurpose }
  const work = workOf(algorithm, generateKeyPair(algorithm, options))
  const names = Object.keys(work)
  for (const name of names) await measure(await work[name](), ms)
  const rounds = []
  for (let n = 0; n < ROUNDS; n++) {
    const rates = {}
    for (const name of names) rates[name] = await measure(await work[name](), ms)
    rounds.push(rates)
  }
  console.log(`${algorithm}, median of ${ROUNDS} rounds of ${ms / 1_000} s`)
  report(rounds, 'raw crypto.sign', 'rawSign')
  report(rounds, 'sign', 'sign', 'rawSign', 'aim 0.85')
  report(rounds, 'sign, thread pool', 'signPooled', 'rawSign', 'aim over 1')
  report(rounds, 'raw crypto.verify', 'rawVerify')
  report(rounds, 'verify', 'verify', 'rawVerify', 'aim 0.90')
  report(rounds, 'verify, thread pool', 'verifyPooled', 'rawVerify', 'aim over 1')
}

/** Each answers with a job to repeat: `once` does one unit, `inFlight` of them at a time. */
function workOf(algorithm, { privateJwk, publicJwk }) {
  const digest = DIGESTS[algorithm]
  const encoding = { dsaEncoding: 'ieee-p1363' }
  const privateKey = { key: createPrivateKey({ key: privateJwk, format: 'jwk' }), ...encoding }
  const publicKey = { key: createPublicKey({ key: publicJwk, format: 'jwk' }), ...encoding }
  const local = localSigner(privateJwk)
  const pooled = threadPoolSigner(privateJwk)
  const message = aMessage()
  const signing = (signer) => signMessage(message, { signer, profile: PROFILE, now: NOW })
  const verifying = async (checkSignature) => {
    const messages = await signedMessages(signing.bind(null, local), message)
    const signer = 'https://seller.example/agent'
    const found = { jwk: publicJwk, publicKey: publicKey.key, signer }
    const ports = { findKey: async () => found, checkRevocation: async () => 'current' }
    const options = { profile: PROFILE, now: NOW, ...ports }
    if (checkSignature) options.checkSignature = checkSignature
    return async (n) => {
      // A nonce counts once per store, so every pass over the messages has a fresh one.
      if (n % messages.length === 0) options.replay = memoryReplayStore()
      expectOk(await verifyMessage(messages[n % messages.length], options))
    }
  }
  return {
    rawSign: async () => {
      const base = await baseOf(signing, local)
      return { once: () => sign(digest, base, privateKey) }
    },
    sign: async () => ({ once: () => signing(local).then(expectOk), inFlight: 1 }),
    signPooled: async () => ({ once: () => signing(pooled).then(expectOk), inFlight: IN_FLIGHT }),
    rawVerify: async () => {
      const base = await baseOf(signing, local)
      const signature = sign(digest, base, privateKey)
      return { once: () => verify(digest, base, publicKey, signature) }
    },
    verify: async () => ({ once: await verifying(), inFlight: 1 }),
    verifyPooled: async () => ({
      once: await verifying(checkSignatureOnThreadPool),
      inFlight: IN_FLIGHT,
    }),
  }
}

async function measure({ once, inFlight = 0 }, ms) {
  let n = 0
  const started = performance.now()
  const isOver = () => (n & 15) === 0 && performance.now() - started > ms
  if (inFlight === 0) while (!isOver()) once(n++)
  const lane = async () => {
    while (!isOver()) await once(n++)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  return n / ((performance.now() - started) / 1_000)
}

async function baseOf(signing, signer) {
  const { signatureBase } = await signing(signer)
  return Buffer.from(signatureBase)
}

async function signedMessages(signOne, message) {
  const signed = []
  for (let n = 0; n < 2_000; n++) {
    const { headers } = await signOne()
    signed.push({ ...message, headers: { ...message.headers, ...lowerCase(headers) } })
  }
  return signed
}

const lowerCase = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** As a status webhook arrives: usual headers, a body of some 400 bytes. */
function aMessage() {
  const body = {
    idempotency_key: 'whk_bench_000000000000000000',
    task_id: 'task_0123456789',
    operation_id: 'op_0123456789',
    task_type: 'build_creative',
    status: 'completed',
    timestamp: '2026-09-21T12:00:00Z',
    result: { creative_id: 'creative_1', format_id: { id: 'display_300x250' }, assets: [1, 2, 3] },
    message: 'The creative was built and is ready for review by the person who asked for it.',
  }
  return {
    method: 'POST',
    url: 'https://buyer.example/webhooks/build_creative/agent_123/op_0123456789',
    headers: {
      host: 'buyer.example',
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': '400',
      'user-agent': 'bench',
      accept: '*/*',
    },
    body: Buffer.from(JSON.stringify(body)),
  }
}

function expectOk(result) {
  if (!result.ok) throw new Error(`${result.code}: ${result.detail}`)
}

function report(rounds, title, name, raw, aim) {
  const rate = median(rounds.map((rates) => rates[name]))
  const ratio = raw && median(rounds.map((rates) => rates[name] / rates[raw]))
  const beside = raw ? `   ratio ${ratio.toFixed(2)} (${aim})` : ''
  console.log(`  ${title.padEnd(20)} ${Math.round(rate).toString().padStart(7)}/s${beside}`)
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
