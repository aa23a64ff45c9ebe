// Requests that are signed to make the server work: unknown key ids that would have it fetch key sets, and signatures
// that would fill the store of nonces. No one else notices, and a request is accepted once on all instances.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type NewRequestKey, removeRequestKey } from '../../src/agent/request-keys.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { migratedPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { whileAnotherCalls } from '../support/other-caller.ts'
import { BRAND, JWKS } from '../support/seller-site.ts'
import {
  callerSite,
  callerWith,
  codeIn,
  requestKey,
  signedCall,
  signedMessage,
} from '../support/signed-caller.ts'

const STRANGERS = 200
const NONCES_PER_KEY = 5
const UNKNOWN = '401 request_signature_key_unknown'

describe.each(['sqlite', 'postgres'] as const)('signatures that make work, on %s', (store) => {
  let app: TestApp
  let other: string
  beforeAll(async () => {
    const config = { requestNoncesPerKey: NONCES_PER_KEY, registryVerifyConcurrency: 0 }
    app = await startApp({ store, config })
    other = await app.principal()
  })
  afterAll(() => app.stop())
  const tasks = () => `${app.url}/v3/list_tasks`

  /** For a new principal, until the test ends. */
  const onFile = async (given: NewRequestKey) => {
    const caller = await callerWith(app, given)
    onTestFinished(async () => {
      await removeRequestKey(app.storage, caller.key_id)
    })
    return caller
  }

  /** Signed calls at the same time, each with a key that no one knows. */
  const strangers = (kid: (n: number) => string, key?: string) =>
    whileAnotherCalls(app, other, () =>
      Promise.all(
        Array.from({ length: STRANGERS }, (_, n) =>
          signedCall(requestKey(kid(n)), tasks(), { body: {}, ...(key ? { key } : {}) }),
        ),
      ),
    )

  test('spec 5: many unknown key ids at once fetch each document once, and a key set once more', async () => {
    const pair = requestKey('published')
    const site = await callerSite([pair.publicJwk])
    await onFile({ agentUrl: site.agentUrl })
    // Answered late, so that many of them come while the first fetch is under way.
    const held: (() => void)[] = []
    let isHeld = true
    site.answer(JWKS, (response) => {
      const answer = () => response.end(JSON.stringify({ keys: [pair.publicJwk] }))
      if (isHeld) held.push(answer)
      else answer()
    })
    const release = async () => {
      await eventually(() => expect(held).toHaveLength(1))
      for (let n = 0; n < 5; n++) await call(tasks(), { key: other, body: {} })
      isHeld = false
      for (const answer of held) answer()
    }

    const [answers] = await Promise.all([strangers((n) => `unknown-${n}`), release()])
    expect(new Set(answers.map(codeIn))).toEqual(new Set([UNKNOWN]))
    expect([site.requested('/mcp'), site.requested(BRAND)]).toEqual([1, 1])
    expect(site.requested(JWKS)).toBeLessThanOrEqual(2)
    expect((await signedCall(pair, tasks(), { body: {} })).status).toBe(200)
    expect(site.requested(JWKS)).toBeLessThanOrEqual(2)
  })

  test('spec 5: key ids that are addresses of agents and key sets are not fetched', async () => {
    const site = await callerSite([])
    const answers = await strangers((n) => `${site.origin}${n % 2 ? JWKS : '/mcp'}?n=${n}`)
    expect(new Set(answers.map(codeIn))).toEqual(new Set([UNKNOWN]))
    expect([site.requested('/mcp'), site.requested(BRAND), site.requested(JWKS)]).toEqual([0, 0, 0])
  })

  test('spec 5: unknown key ids of a caller with a bearer key fetch nothing of other principals', async () => {
    const [site, own] = [await callerSite([]), await callerSite([])]
    await onFile({ agentUrl: site.agentUrl })
    const { key } = await onFile({ agentUrl: own.agentUrl })
    const answers = await strangers((n) => `own-${n}`, key)
    expect(new Set(answers.map(codeIn))).toEqual(new Set([UNKNOWN]))
    expect([site.requested('/mcp'), site.requested(BRAND), site.requested(JWKS)]).toEqual([0, 0, 0])
    expect([own.requested('/mcp'), own.requested(BRAND)]).toEqual([1, 1])
    expect(own.requested(JWKS)).toBeLessThanOrEqual(2)
  })

  test('spec 8: requests without a signature, with a wrong one or of an unknown key store no nonce', async () => {
    const pair = requestKey('genuine')
    await onFile({ jwk: pair.publicJwk })
    const before = await app.count('replay_nonces')
    const forged = { ...requestKey('genuine'), publicJwk: pair.publicJwk }
    const answers = await whileAnotherCalls(app, other, () =>
      Promise.all(
        Array.from({ length: 50 }, async (_, n) => [
          codeIn(await signedCall(forged, tasks(), { body: {} })),
          codeIn(await signedCall(requestKey(`nobody-${n}`), tasks(), { body: {} })),
          // Signed for another body.
          codeIn(
            await signedCall(pair, tasks(), {
              body: { context: { n } },
              change: (sent) => {
                sent.body = '{}'
              },
            }),
          ),
          (await call(tasks(), { body: {} })).status,
        ]),
      ),
    )
    expect(new Set(answers.map(String))).toEqual(
      new Set([
        `401 request_signature_invalid,${UNKNOWN},401 request_signature_digest_mismatch,401`,
      ]),
    )
    expect(await app.count('replay_nonces')).toBe(before)
    expect((await signedCall(pair, tasks(), { body: {} })).status).toBe(200)
    expect(await app.count('replay_nonces')).toBe(before + 1)
  })

  test('spec 8: a key that signs without end fills its own share of nonces alone', async () => {
    const [flooding, calm] = [requestKey('flooding'), requestKey('calm')]
    await onFile({ jwk: flooding.publicJwk })
    await onFile({ jwk: calm.publicJwk })
    const before = await app.count('replay_nonces')
    const answers = await whileAnotherCalls(app, other, () =>
      Promise.all(
        Array.from({ length: 10 * NONCES_PER_KEY }, () =>
          signedCall(flooding, tasks(), { body: {} }),
        ),
      ),
    )
    const accepted = answers.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(NONCES_PER_KEY)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(codeIn))).toEqual(new Set(['401 request_signature_rate_abuse']))
    expect(await app.count('replay_nonces')).toBe(before + NONCES_PER_KEY)
    expect((await signedCall(calm, tasks(), { body: {} })).status).toBe(200)
  })
})

describe('a signed request that is sent again', () => {
  const publicUrl = 'https://agent.example'
  const url = `${publicUrl}/v3/list_tasks`
  const send = (app: TestApp, sent: Awaited<ReturnType<typeof signedMessage>>) =>
    call(`${app.url}/v3/list_tasks`, { headers: sent.headers, body: sent.body ?? '' })

  test('spec 8: is accepted by one of two instances that share a database, on postgres', async () => {
    const postgres = await migratedPostgres()
    const config = { databaseUrl: postgres.url, publicUrl }
    const apps = [await startApp({ config }), await startApp({ config })] as const
    onTestFinished(async () => {
      await Promise.all(apps.map((app) => app.stop()))
      await postgres.drop()
    })
    const pair = requestKey('raced')
    await callerWith(apps[0], { jwk: pair.publicJwk })
    const messages = await Promise.all(
      Array.from({ length: 20 }, () => signedMessage(pair, url, { body: '{}' })),
    )
    const accepted = await Promise.all(
      messages.map(async (sent) => {
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, n) => send(apps[n % 2 === 0 ? 0 : 1], sent)),
        )
        return answers.filter(({ status }) => status === 200).length
      }),
    )
    expect(accepted).toEqual(Array(20).fill(1))
  })

  test('spec 8: is refused by the next server on the same file, on sqlite', async () => {
    const data = mkdtempSync(join(tmpdir(), 'adwire-nonces-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const pair = requestKey('restarted')
    const sent = await signedMessage(pair, url, { body: '{}' })
    const first = await startApp({ config: { data, publicUrl } })
    await callerWith(first, { jwk: pair.publicJwk })
    expect((await send(first, sent)).status).toBe(200)
    await first.stop()
    const second = await startApp({ config: { data, publicUrl } })
    onTestFinished(() => second.stop())
    expect(codeIn(await send(second, sent))).toBe('401 request_signature_replayed')
  })
})
