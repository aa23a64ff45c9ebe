// An operator's keys and a buyer's verifier, with nothing between them but what is published.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRevocationCheck } from '../../src/key-discovery/revocation.ts'
import { createSenderKeys } from '../../src/key-discovery/sender-keys.ts'
import { createKeyRing, type KeyRing } from '../../src/keys/key-ring.ts'
import { SHORTEST_LEAD_SECONDS } from '../../src/keys/lifecycle.ts'
import {
  ensureSigningKey,
  type KeyPorts,
  revokeKey,
  rotateKey,
} from '../../src/keys/manage-keys.ts'
import { operatorManifest } from '../../src/keys/operator-manifest.ts'
import { createRevocationList } from '../../src/keys/revocation-list.ts'
import { exportKey } from '../../src/keys/show-keys.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createEgress } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { localSigner } from '../../src/signing/local-signer.ts'
import type { HttpMessage, Signer } from '../../src/signing/ports.ts'
import { webhookProfile } from '../../src/signing/profile.ts'
import { memoryReplayStore } from '../../src/signing/replay.ts'
import { signMessage } from '../../src/signing/sign.ts'
import { verifyMessage } from '../../src/signing/verify.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createSigningKeyStore } from '../../src/storage/stores/keys/signing-keys.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const names = identifiersFor('proto')
const profile = webhookProfile({ tag: names.webhookTag, keyUse: names.keyUse })
const LEAD_SECONDS = 600
const clock = fakeClock()

function portsOn(database: Database): KeyPorts {
  return {
    transact: database.transact,
    signingKeys: createSigningKeyStore(database),
    keyUse: names.keyUse,
    box: createSecretBox('a secret of thirty-two characters'),
  }
}

/** One instance of the operator's server: a key ring of its own on the shared database. */
function instanceOn(database: Database): KeyRing {
  const { signingKeys, box, keyUse } = portsOn(database)
  const ring = createKeyRing({
    signingKeys,
    box,
    keyUse,
    clock,
    onWake: database.onWake,
    onFault: (error) => {
      throw error
    },
  })
  onTestFinished(ring.stop)
  return ring
}

/** What the operator publishes, answered by its instances in turn. */
async function publish(rings: readonly KeyRing[]): Promise<string> {
  let requested = 0
  const server = createServer(async (request, response) => {
    const ring = rings[requested++ % rings.length] as KeyRing
    const documents: Record<string, () => unknown> = {
      '/.well-known/brand.json': () => operatorManifest({ publicUrl: url, agentUrl: url }),
      '/.well-known/jwks.json': () => ring.publicJwks(),
      '/.well-known/governance-revocations.json': createRevocationList({
        ring,
        clock,
        issuer: () => url,
        type: names.revocationType,
      }),
    }
    const document = await documents[request.url ?? '']?.()
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return url
}

/** A buyer who trusts one agent and knows nothing else of it. */
function buyerOf(agentUrl: string, time: Clock) {
  const egress = createEgress({ allow: ['127.0.0.0/8'], allowHttp: true })
  onTestFinished(() => egress.close())
  const keys = createSenderKeys({ sellers: [{ agentUrl }], egress, clock: time })
  const checkRevocation = createRevocationCheck({
    keys,
    egress,
    clock: time,
    type: names.revocationType,
    whenAbsent: 'stale',
  })
  const replay = memoryReplayStore({ clock: time })
  return async (message: HttpMessage) => {
    const now = Math.floor(time.now() / 1_000)
    const findKey = keys.forSeller(agentUrl)
    const result = await verifyMessage(message, { profile, now, findKey, checkRevocation, replay })
    return result.ok ? 'accepted' : result.code
  }
}

async function signed(signer: Signer, text: string): Promise<HttpMessage> {
  const message = {
    method: 'POST',
    url: 'https://buyer.example/webhooks',
    headers: { host: 'buyer.example', 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ text })),
  }
  const made = await signMessage(message, {
    signer,
    profile,
    now: Math.floor(clock.now() / 1_000),
  })
  if (!made.ok) throw new Error(made.detail)
  return { ...message, headers: { ...message.headers, ...made.headers } }
}

onBothStores(
  'spec 5: what two instances sign',
  (database, _store, another) => {
    async function operator() {
      const second = another()
      onTestFinished(() => second.close())
      await database().transact((tx) => tx.run('DELETE FROM signing_keys'))
      await ensureSigningKey(portsOn(database()))
      const rings = [instanceOn(database()), instanceOn(second)] as const
      const verify = buyerOf(await publish(rings), clock)
      return { ports: portsOn(database()), rings, verify }
    }

    test('a key rotated while 1 000 messages are signed and verified concurrently loses none', async () => {
      const { ports, rings, verify } = await operator()
      const signers = new Set<string>()
      const answers: string[] = []
      for (let round = 0; round < 20; round++) {
        // The first time in a hurry, so that the buyer must look for an unknown key by itself.
        const rotation =
          round % 5 === 1
            ? rotateKey(ports, { leadSeconds: round === 1 ? SHORTEST_LEAD_SECONDS : LEAD_SECONDS })
            : null
        const messages = await Promise.all(
          Array.from({ length: 50 }, async (_, at) => {
            const signer = await (rings[at % 2] as KeyRing).signer()
            signers.add(signer.keyid)
            return signed(signer, `${round}.${at}`)
          }),
        )
        expect((await rotation)?.ok ?? true).toBe(true)
        // As late as a message may be.
        const [early, late] = [messages.slice(0, 25), messages.slice(25)]
        answers.push(...(await Promise.all(early.map(verify))))
        clock.advance(299_000)
        answers.push(...(await Promise.all(late.map(verify))))
      }
      expect(answers.filter((answer) => answer !== 'accepted')).toEqual([])
      expect(answers).toHaveLength(1_000)
      expect(signers.size).toBe(5)
    })

    test('a stolen key is refused within one polling interval after it was revoked', async () => {
      const { ports, rings, verify } = await operator()
      const { keyid } = await rings[0].signer()
      const stolen = await exportKey(ports, keyid, { withPrivate: true })
      if (!stolen.ok) throw new Error(stolen.message)
      const thief = localSigner(stolen.jwk)
      expect(await verify(await signed(thief, 'before'))).toBe('accepted')

      await revokeKey(ports, keyid)
      clock.advance(60_000)
      const honest = await rings[1].signer()
      expect(honest.keyid).not.toBe(keyid)
      expect(await verify(await signed(honest, 'successor'))).toBe('accepted')
      clock.advance(15 * 60_000)
      expect(await verify(await signed(thief, 'after'))).toMatch(/_key_(unknown|revoked)$/)
      expect(await verify(await signed(await rings[0].signer(), 'still'))).toBe('accepted')
    })
  },
  { clock },
)
