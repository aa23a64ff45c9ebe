import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeRequestKey } from '../../src/agent/request-keys.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { migratedPostgres } from '../support/databases.ts'
import {
  callerSite,
  callerWith,
  codeIn,
  requestKey,
  signedMessage,
} from '../support/signed-caller.ts'

describe('signed requests to several instances', () => {
  const PUBLIC_URL = 'https://agent.example/adwire'
  let postgres: Awaited<ReturnType<typeof migratedPostgres>>
  let apps: TestApp[]
  beforeAll(async () => {
    postgres = await migratedPostgres()
    const config = { databaseUrl: postgres.url, publicUrl: PUBLIC_URL }
    apps = [await startApp({ config }), await startApp({ config })]
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    await postgres.drop()
  })
  const send = (
    app: TestApp,
    sent: { headers: Record<string, string>; body: string | undefined },
  ) => call(`${app.url}/v3/list_tasks`, { headers: sent.headers, body: sent.body ?? '' })
  const url = `${PUBLIC_URL}/v3/list_tasks`

  test('spec 8: a request that one of them has accepted is refused by the others', async () => {
    const [one, other] = apps as [TestApp, TestApp]
    const pair = requestKey('fleet')
    await callerWith(one, { jwk: pair.publicJwk })
    const sent = await signedMessage(pair, url, { body: '{}' })
    expect((await send(one, sent)).status).toBe(200)
    expect(codeIn(await send(other, sent))).toBe('401 request_signature_replayed')
    expect(codeIn(await send(one, sent))).toBe('401 request_signature_replayed')

    const raced = await signedMessage(pair, url, { body: '{}' })
    const answers = await Promise.all([one, other, one, other].map((app) => send(app, raced)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  test('spec 5: what is put on file or taken off on one counts on the others', async () => {
    const [one, other] = apps as [TestApp, TestApp]
    const pair = requestKey('everywhere')
    const site = await callerSite([pair.publicJwk])
    const early = await send(other, await signedMessage(pair, url, { body: '{}' }))
    expect(codeIn(early)).toBe('401 request_signature_key_unknown')
    const { key_id } = await callerWith(one, { agentUrl: site.agentUrl })
    const status = async () =>
      (await send(other, await signedMessage(pair, url, { body: '{}' }))).status
    await expect.poll(status, { timeout: 120_000 }).toBe(200)
    await removeRequestKey(one.storage, key_id)
    expect(await status()).toBe(401)
  })
})
