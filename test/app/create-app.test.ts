import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { type AppOptions, createApp } from '../../src/app/create-app.ts'
import { makeConfig } from '../../src/app/make-config.ts'
import type { HeldKey } from '../../src/keys/held-keys.ts'
import { createLog } from '../../src/lib/log.ts'
import { call } from '../support/call.ts'
import { folder } from '../support/cli.ts'

const log = createLog({ level: 'silent' })

async function created(data: string, options: AppOptions = {}) {
  const app = await createApp(makeConfig({ port: 0, data, signalsModel: false }), {
    log,
    ...options,
  })
  onTestFinished(app.stop)
  return app
}

function held(keyid: string): HeldKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const publicJwk = publicKey.export({ format: 'jwk' })
  return { keyid, algorithm: 'ed25519', publicJwk, sign: (b) => sign(null, b, privateKey) }
}

test('a data folder has one server at a time, also when what was to be the second fails', async () => {
  const data = folder()
  const first = await created(data)
  await expect(created(data)).rejects.toThrow('another adwire server is running')
  expect(await first.health()).toEqual({ ready: false, reasons: ['the server is starting'] })
  await first.stop()
  await first.stop()
  expect(await first.health()).toEqual({ ready: false, reasons: ['the server has stopped'] })
  const routes = () => {
    throw new Error('no such route')
  }
  await expect(created(data, { routes })).rejects.toThrow('no such route')
  await created(data)
})

test('a start that fails gives the folder back', async () => {
  const taken = await created(folder())
  await taken.start()
  const data = folder()
  const port = Number(new URL(taken.url()).port)
  const second = await createApp(makeConfig({ port, data }), { log })
  await expect(second.start()).rejects.toThrow('EADDRINUSE')
  await created(data)
})

test('a principal that it makes can call tasks; one that cannot be is refused whole', async () => {
  const app = await created(folder())
  await app.start()
  await expect(app.createPrincipal({ name: 'Acme', accounts: ['nowhere'] })).rejects.toThrow(
    'is not an account',
  )
  const { key } = await app.createPrincipal({ name: 'Acme', accounts: ['my-dsp:seat-7'] })
  const listed = await call(`${app.url()}/v3/list_tasks`, { key, body: {} })
  expect(listed.body).toMatchObject({ status: 'completed' })
})

test('spec 5: the key of a signer is published once, and signs at once where no key does', async () => {
  const data = folder()
  const signer = held('kms-1')
  for (const _ of ['first start', 'second start']) {
    const app = await created(data, { signers: [signer] })
    await app.start()
    const jwks = (await call(`${app.url()}/.well-known/jwks.json`)).body as { keys: object[] }
    expect(jwks.keys).toMatchObject([{ kid: 'kms-1' }])
    await app.stop()
  }
  await expect(created(data)).rejects.toThrow('kms-1 is held elsewhere, and no signer')
  await expect(created(data, { signers: [held('kms-1')] })).rejects.toThrow('another public key')
})

test('spec 5: a signer that is not what its key is, or has a namesake, stops the start', async () => {
  const wrong: HeldKey = { ...held('kms-1'), algorithm: 'ecdsa-p256-sha256' }
  await expect(created(folder(), { signers: [wrong] })).rejects.toThrow(
    'is for ecdsa-p256-sha256, its public key for ed25519',
  )
  await expect(created(folder(), { signers: [held('a'), held('a')] })).rejects.toThrow(
    'two signers are for the key a',
  )
})
