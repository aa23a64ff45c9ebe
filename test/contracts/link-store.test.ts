import { beforeEach, describe, expect, test } from 'vitest'
import { createPrincipal } from '../../src/agent/principals.ts'
import { describeApiKey } from '../../src/lib/api-key.ts'
import { createLinkStore } from '../../src/storage/stores/console/links.ts'
import { createPrincipalQueries } from '../../src/storage/stores/console/principals.ts'
import { createApiKeyStore } from '../../src/storage/stores/principals/api-keys.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { failure, outboxOn } from '../support/outbox-contract.ts'

const clock = fakeClock()
const HOUR_MS = 3_600_000

onBothStores(
  'the stores of buyers’ links and principals',
  (database) => {
    const links = () => createLinkStore(database())
    const transact = <T>(work: Parameters<ReturnType<typeof database>['transact']>[0]) =>
      database().transact(work) as Promise<T>
    const clear = async (...tables: string[]) => {
      for (const table of tables) await transact((tx) => tx.run(`DELETE FROM ${table}`))
    }

    describe('links', () => {
      beforeEach(() => clear('buyer_links', 'buyer_link_sessions'))
      const link = (link_id: string, over: object = {}) => ({
        link_id,
        principal_id: 'prn_a',
        shows: ['deliveries' as const],
        maker_id: 'prn_o',
        maker_name: 'O',
        made_by: 'console' as const,
        created_at: clock.now(),
        expires_at: clock.now() + HOUR_MS,
        ...over,
      })
      const add = (id: string, over: object = {}) =>
        transact((tx) => links().add(tx, link(id, over), `token ${id}`))
      const open = (id: string, session: string, most = 9) =>
        transact<boolean>((tx) => links().open(tx, id, { sessionHash: session, most }))
      const revoke = (id: string, principal_id = 'prn_a') =>
        transact<boolean>((tx) => links().revoke(tx, { principal_id, link_id: id }))

      test('one is found by its token, and by the cookie of who opened it', async () => {
        await add('l1')
        expect(await links().byToken('token l1')).toEqual({
          ...link('l1'),
          opens: 0,
          opened_at: undefined,
          revoked_at: undefined,
        })
        expect(await links().byToken('token l2')).toBeUndefined()
        expect(await open('l1', 's1')).toBe(true)
        expect(await links().bySession('s1')).toMatchObject({ link_id: 'l1', opens: 1 })
        expect(await links().bySession('token l1')).toBeUndefined()
        expect(await transact((tx) => links().endSession(tx, 's1'))).toBe(true)
        expect(await links().bySession('s1')).toBeUndefined()
      })

      test('one that is revoked or over is not opened, and ends where it was open', async () => {
        await add('l1')
        await open('l1', 's1')
        expect(await revoke('l1', 'prn_b')).toBe(false)
        expect(await revoke('l1')).toBe(true)
        expect(await revoke('l1')).toBe(false)
        expect(await links().bySession('s1')).toBeUndefined()
        expect(await open('l1', 's2')).toBe(false)
        await add('l2')
        clock.advance(HOUR_MS)
        expect(await open('l2', 's3')).toBe(false)
        expect(await revoke('l2')).toBe(false)
      })

      test('the browsers that opened it last stay when there are more than it may have', async () => {
        await add('l1')
        for (const session of ['s1', 's2', 's3']) {
          clock.advance(1)
          await open('l1', session, 2)
        }
        expect(await links().bySession('s1')).toBeUndefined()
        expect(await links().bySession('s2')).toBeDefined()
        expect(await links().bySession('s3')).toMatchObject({ opens: 3 })
      })

      test('the good ones of a principal are counted, and all are listed, the newest first', async () => {
        for (const id of ['l1', 'l2', 'l3']) {
          clock.advance(1)
          await add(id)
        }
        await add('other', { principal_id: 'prn_b' })
        await revoke('l2')
        expect(await transact((tx) => links().countGood(tx, 'prn_a'))).toBe(2)
        const ids = (await links().list('prn_a', 2)).map(({ link_id }) => link_id)
        expect(ids).toEqual(['l3', 'l2'])
      })

      test('what is over is swept: cookies at once, links when they have been displayed long enough', async () => {
        await add('l1')
        await open('l1', 's1')
        await add('l2', { expires_at: clock.now() + 9 * HOUR_MS })
        await open('l2', 's2')
        clock.advance(2 * HOUR_MS)
        const sweep = (ended: number) => transact<number>((tx) => links().sweep(tx, { ended }))
        expect(await sweep(clock.now() - 9 * HOUR_MS)).toBe(1)
        expect(await links().byToken('token l1')).toBeDefined()
        expect(await sweep(clock.now())).toBe(1)
        expect(await links().byToken('token l1')).toBeUndefined()
        expect(await links().bySession('s2')).toBeDefined()
        expect(await sweep(clock.now())).toBe(0)
      })
    })

    describe('principals', () => {
      const queries = () => createPrincipalQueries(database())
      const ports = () => ({
        transact: database().transact,
        principals: createPrincipalStore(database(), clock),
      })
      const make = async (name: string, scopes: string[] = ['tasks']) => {
        clock.advance(1)
        const made = await createPrincipal(ports(), { name, scopes })
        if (!made.ok) throw new Error(made.message)
        return { id: made.principal.principal_id, key: made.key }
      }
      const names = async (filter: object) =>
        (await queries().list({ limit: 9, ...filter })).rows.map(({ name }) => name)
      beforeEach(() => clear('principals', 'api_keys'))

      test('are listed the newest first, by name, id, key, scope and state', async () => {
        const acme = await make('Acme', ['tasks', 'operator'])
        await make('Northwind')
        const gone = await make('acme too')
        await transact((tx) => ports().principals.revoke(tx, gone.id))
        expect(await names({})).toEqual(['acme too', 'Northwind', 'Acme'])
        expect(await names({ sought: 'ACME' })).toEqual(['acme too', 'Acme'])
        expect(await names({ sought: acme.id })).toEqual(['Acme'])
        expect(await names({ sought: acme.key })).toEqual(['Acme'])
        expect(await names({ scope: 'operator' })).toEqual(['Acme'])
        expect(await names({ isRevoked: true })).toEqual(['acme too'])
        expect(await names({ isRevoked: false })).toEqual(['Northwind', 'Acme'])
        for (const sought of ['%', 'a\u0000b', "'", 'prn_', 'adw_\u0000']) {
          expect([sought, await names({ sought })]).toEqual([sought, []])
        }
      })

      test('valid keys are counted, and the last use of any is returned', async () => {
        const { id, key } = await make('Acme')
        const apiKeys = createApiKeyStore(database())
        const owner = { kind: 'principal', owner_id: id }
        const add = (text: string, ends?: number) =>
          transact((tx) => apiKeys.add(tx, owner, { ...describeApiKey(text), expiresAt: ends }))
        await add('adw_second_second_second')
        await add('adw_expired_expired_expired', clock.now() - 1)
        await transact((tx) => apiKeys.noteUse(tx, [describeApiKey(key).keyHash]))
        expect((await queries().keySummaries([id, 'prn_none'], clock.now())).get(id)).toEqual({
          good: 2,
          last_used_at: clock.now(),
        })
      })

      test('the headers of the latest deliveries are returned, the newest first', async () => {
        const on = outboxOn(database, clock)
        await on.clear()
        await on.one()
        const { claimed } = await on.claim()
        for (const one of claimed) {
          await on.record(failure(one, { request_headers: { Signature: 'x', Secret: null } }))
        }
        expect(await queries().latestSent()).toMatchObject([
          { request_headers: { Signature: 'x', Secret: null } },
        ])
        expect(await queries().underWay('prn_a')).toMatchObject({ waiting_webhooks: 1 })
      })
    })
  },
  { clock },
)
