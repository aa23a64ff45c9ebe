import { describe, expect, test } from 'vitest'
import { identifiersFor } from '../../../src/protocol/identifiers.ts'
import { generateKeyPair } from '../../../src/signing/keys.ts'
import { localSigner } from '../../../src/signing/local-signer.ts'
import { memoryReplayStore } from '../../../src/signing/replay.ts'
import { signWebhook, verifyWebhook } from '../../../src/webhooks/schemes/rfc9421.ts'

const NOW = 1_767_225_600
const SELLER = 'https://seller.example/mcp'

async function delivery(protocol: string, purpose = 'webhook-signing') {
  const names = identifiersFor(protocol)
  const pair = generateKeyPair('ed25519', { keyUse: names.keyUse, purpose, kid: 'k1' })
  const message = {
    method: 'POST',
    url: 'https://buyer.example/hooks',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"task_id":"t1"}'),
  }
  const signer = localSigner(pair.privateJwk)
  const signed = await signWebhook(message, names, { signer, now: NOW })
  if (!signed.ok) throw new Error(signed.detail)
  const received = { ...message, headers: { ...message.headers, ...signed.headers } }
  const verify = (under: string, acceptRequestKeys?: boolean) =>
    verifyWebhook(received, identifiersFor(under), {
      now: NOW,
      findKey: () => ({ jwk: pair.publicJwk, signer: SELLER }),
      checkRevocation: () => 'current',
      replay: memoryReplayStore({ clock: { now: () => NOW * 1_000 } }),
      ...(acceptRequestKeys === undefined ? {} : { acceptRequestKeys }),
    })
  return { verify, received, signer, names }
}

describe('spec 5: the default scheme', () => {
  test.each(['proto', 'adcp'])(
    'what is signed under the name %s is verified under it',
    async (name) => {
      const { verify, received } = await delivery(name)
      expect(await verify(name)).toMatchObject({ ok: true, keyid: 'k1', signer: SELLER })
      const headers: Record<string, string> = received.headers
      expect(headers['Signature-Input']).toContain(`tag="${name}/webhook-signing/v1"`)
    },
  )

  test('under another name the tag is not the expected one', async () => {
    const { verify } = await delivery('proto')
    expect(await verify('adcp')).toMatchObject({ code: 'webhook_signature_tag_invalid', step: 3 })
  })

  test('keys for signing requests are accepted unless that is turned off', async () => {
    const { verify } = await delivery('proto', 'request-signing')
    expect(await verify('proto')).toMatchObject({ ok: true })
    const code = 'webhook_signature_key_purpose_invalid'
    expect(await verify('proto', false)).toMatchObject({ ok: false, code })
  })

  test('a body with a key twice is not signed', async () => {
    const { received, signer, names } = await delivery('proto')
    const message = { ...received, body: Buffer.from('{"a":{"b":1,"b":2}}') }
    expect(await signWebhook(message, names, { signer, now: NOW })).toMatchObject({
      ok: false,
      code: 'duplicate_key_input',
    })
  })
})
