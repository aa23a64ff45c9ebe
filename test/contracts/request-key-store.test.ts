import { expect, test } from 'vitest'
import { REQUEST_KEY_LIMITS } from '../../src/agent/limits.ts'
import { createPrincipal, revokePrincipal } from '../../src/agent/principals.ts'
import {
  addRequestKey,
  type NewRequestKey,
  REQUEST_KEYS_TOPIC,
  removeRequestKey,
} from '../../src/agent/request-keys.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { createRequestKeyStore } from '../../src/storage/stores/principals/request-keys.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { keyPair } from '../support/seller-site.ts'

const clock = fakeClock()
const jwkOf = (kid: string) => keyPair(kid, 'request-signing').publicJwk

onBothStores(
  'keys for signed requests',
  (database) => {
    const ports = () => ({
      transact: database().transact,
      principals: createPrincipalStore(database(), clock),
      requestKeys: createRequestKeyStore(database()),
      keyUse: 'proto_use',
    })
    const principal = async () => {
      const made = await createPrincipal(ports(), { name: 'Buyer' })
      if (!made.ok) throw new Error(made.message)
      return made.principal.principal_id
    }
    const add = async (id: string, given: NewRequestKey) => {
      clock.advance(1)
      const added = await addRequestKey(ports(), id, given)
      if (!added.ok) throw new Error(added.message)
      return added.record
    }
    const refusal = async (id: string, given: NewRequestKey) => {
      const added = await addRequestKey(ports(), id, given)
      return added.ok ? undefined : added.message
    }

    test('spec 5: a key, a key set and an agent are kept for a principal, the oldest first', async () => {
      const { requestKeys } = ports()
      const id = await principal()
      expect(await requestKeys.hasAny(id)).toBe(false)
      const jwk = jwkOf('first')
      const pin = [jwkOf('pinned')]
      const records = [
        await add(id, { jwk }),
        await add(id, { jwksUrl: 'https://buyer.example/jwks.json', pin }),
        await add(id, { agentUrl: 'https://buyer.example/mcp' }),
      ]
      expect(await requestKeys.list(id)).toEqual(records)
      expect(records).toMatchObject([
        { kind: 'jwk', jwk, principal_id: id },
        { kind: 'jwks_url', url: 'https://buyer.example/jwks.json', pin },
        { kind: 'agent_url', url: 'https://buyer.example/mcp', created_at: clock.now() },
      ])
      expect(await requestKeys.hasAny(id)).toBe(true)
      expect(await requestKeys.byKid('first')).toEqual([records[0]])
      expect(await requestKeys.byKid('pinned')).toEqual([])
      expect(await requestKeys.addresses()).toEqual(records.slice(1))
      expect(await requestKeys.principalOf(records[2]!.key_id)).toMatchObject({ principal_id: id })
    })

    test('spec 5: a key id may be several principals’, a key or an address only one’s', async () => {
      const { requestKeys } = ports()
      const [one, other] = [await principal(), await principal()]
      const jwk = jwkOf('alike')
      await add(one, { jwk })
      await add(other, { jwk: jwkOf('alike') })
      expect((await requestKeys.byKid('alike')).map((key) => key.principal_id)).toEqual([
        one,
        other,
      ])
      expect(await refusal(other, { jwk: { ...jwk, kid: 'by another name' } })).toContain(one)
      await add(one, { agentUrl: 'https://shared.example/mcp' })
      const spelt = { agentUrl: 'HTTPS://shared.example.:443/mcp' }
      expect(await refusal(other, spelt)).toContain(`on file already, for ${one}`)
      expect(await refusal(other, { agentUrl: 'https://shared.example/mcp/' })).toBeUndefined()
    })

    test('spec 5: what is removed, or of a revoked principal, is found no more', async () => {
      const { requestKeys } = ports()
      const [one, other] = [await principal(), await principal()]
      const removed = await add(one, { jwk: jwkOf('gone') })
      const kept = await add(other, { jwk: jwkOf('gone') })
      const address = await add(other, { jwksUrl: 'https://gone.example/jwks.json' })
      expect(await removeRequestKey(ports(), removed.key_id)).toBe(true)
      expect(await removeRequestKey(ports(), removed.key_id)).toBe(false)
      expect(await requestKeys.byKid('gone')).toEqual([kept])
      expect(await requestKeys.principalOf(removed.key_id)).toBeUndefined()
      await revokePrincipal(ports(), other)
      expect(await requestKeys.byKid('gone')).toEqual([])
      expect(await requestKeys.addresses()).not.toContainEqual(address)
      expect(await requestKeys.principalOf(kept.key_id)).toBeUndefined()
      expect(await refusal(other, { jwk: jwkOf('late') })).toContain('was revoked')
      expect(await refusal('prn_nobody', { jwk: jwkOf('late') })).toContain('no principal')
    })

    test('no more addresses are put on file than may be, of all principals; keys themselves are', async () => {
      const { requestKeys, ...rest } = ports()
      const before = await database().transact(requestKeys.countAddresses)
      expect(before).toBe((await requestKeys.addresses()).length)
      const full = {
        ...rest,
        requestKeys: {
          ...requestKeys,
          countAddresses: async () => REQUEST_KEY_LIMITS.addresses.value,
        },
      }
      const id = await principal()
      const address = { jwksUrl: 'https://full.example/jwks.json' }
      expect(await addRequestKey(full, id, address)).toMatchObject({
        ok: false,
        message: expect.stringContaining('at most 1000 addresses'),
      })
      expect(await addRequestKey(full, id, { jwk: jwkOf('full') })).toMatchObject({ ok: true })
      await add(id, address)
      expect(await database().transact(requestKeys.countAddresses)).toBe(before + 1)
      await revokePrincipal(ports(), id)
      expect(await database().transact(requestKeys.countAddresses)).toBe(before)
    })

    test('a change wakes every instance that holds the addresses', async () => {
      let woken = 0
      const off = database().onWake(REQUEST_KEYS_TOPIC, () => {
        woken++
      })
      const { key_id } = await add(await principal(), { jwk: jwkOf('wakes') })
      await expect.poll(() => woken).toBeGreaterThan(0)
      const before = woken
      await removeRequestKey(ports(), key_id)
      await expect.poll(() => woken).toBeGreaterThan(before)
      off()
    })

    test('what cannot be used is refused with what would be right', async () => {
      const id = await principal()
      const { privateJwk, publicJwk } = keyPair('x', 'request-signing')
      const { kid: _kid, ...nameless } = jwkOf('x')
      const faults: [NewRequestKey, string][] = [
        [{ jwk: privateJwk }, 'this is a private key'],
        [{ jwk: keyPair('x', 'webhook-signing').publicJwk }, 'that is not request-signing'],
        [{ jwk: { ...publicJwk, kty: 'RSA' } }, 'neither Ed25519 nor P-256'],
        [{ jwk: { ...publicJwk, kid: 'é' } }, 'printable ASCII'],
        [{ jwk: { ...publicJwk, use: 'enc' } }, 'other than sig'],
        [{ agentUrl: 'buyer.example' }, 'must be an http or https URL'],
        [{ jwksUrl: 'ftp://buyer.example/x' }, 'must be an http or https URL'],
        [{ agentUrl: 'https://b.example/', pin: [{ kid: 'x' }] }, 'the pin cannot be used'],
      ]
      for (const [given, reported] of faults) expect(await refusal(id, given)).toContain(reported)
      const { jwk } = await add(id, { jwk: nameless })
      expect(jwk?.kid).toMatch(/^[\w-]{43}$/)
      for (let n = 1; n < 20; n++) await add(id, { jwk: jwkOf(`n${n}`) })
      expect(await refusal(id, { jwk: jwkOf('one too many') })).toContain('at most 20')
    })
  },
  { clock },
)
