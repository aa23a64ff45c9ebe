// Signing and verifying one webhook beside the bare cryptography over the same bytes, on one thread.
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import {
  localSigner,
  memoryReplayStore,
  signMessage,
  verifyMessage,
  webhookProfile,
} from '../../../dist/signing/index.js'
import { inRounds, repeated } from '../rounds.mjs'
import { AGENT, KEYS, webhookBody } from '../webhooks.mjs'

const PROFILE = webhookProfile({ tag: 'proto/webhook-signing/v1', keyUse: 'proto_use' })
const MESSAGES = 2_000

export async function measure({ isQuick }) {
  const pace = { ms: isQuick ? 100 : 400 }
  const rounds = isQuick ? 3 : 11
  const privateKey = createPrivateKey({ key: KEYS.privateJwk, format: 'jwk' })
  const publicKey = createPublicKey({ key: KEYS.publicJwk, format: 'jwk' })
  const message = {
    method: 'POST',
    url: 'https://buyer.example/webhooks/build_creative/agent_123/op_0123456789',
    headers: { 'content-type': 'application/json', accept: '*/*' },
    body: webhookBody(),
  }
  const signer = localSigner(KEYS.privateJwk)
  const now = Math.floor(Date.now() / 1_000)
  const signOnce = () => signMessage(message, { signer, profile: PROFILE, now })
  const { signatureBase } = expectOk(await signOnce())
  const base = Buffer.from(signatureBase)
  const signature = sign(null, base, privateKey)
  const signing = await inRounds(
    {
      own: () => repeated(signOnce, pace),
      base: () => repeated(() => sign(null, base, privateKey), pace),
    },
    rounds,
  )
  const verifying = await inRounds(
    {
      own: async () => repeated(await verifier({ signOnce, message, publicKey, now }), pace),
      base: () => repeated(() => verify(null, base, publicKey, signature), pace),
    },
    rounds,
  )
  const row = { baseline: 'bare ed25519', aim: 0.9, by: 'cpu' }
  return [
    { path: 'sign a webhook', ...row, ...signing },
    { path: 'verify a webhook', ...row, ...verifying },
  ]
}

async function verifier({ signOnce, message, publicKey, now }) {
  const messages = []
  for (let n = 0; n < MESSAGES; n++) {
    const { headers } = await signOnce()
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    messages.push({ ...message, headers: { ...message.headers, ...Object.fromEntries(lower) } })
  }
  const found = { jwk: KEYS.publicJwk, publicKey, signer: AGENT }
  const options = {
    profile: PROFILE,
    now,
    findKey: async () => found,
    checkRevocation: async () => 'current',
  }
  return async (n) => {
    // A nonce counts once, so every pass over the messages has a fresh store.
    if (n % MESSAGES === 0) options.replay = memoryReplayStore()
    expectOk(await verifyMessage(messages[n % MESSAGES], options))
  }
}

function expectOk(result) {
  if (!result.ok) throw new Error(`${result.code}: ${result.detail}`)
  return result
}
