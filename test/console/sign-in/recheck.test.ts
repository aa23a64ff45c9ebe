// When the access of a person ends: within the stated time after the provider no longer confirms it, on every instance.

import { beforeEach, expect, test } from 'vitest'
import { createSessions, openSession } from '../../../src/console/sessions.ts'
import type { Provider } from '../../../src/console/sign-in/provider.ts'
import { createRecheck, sealTokens } from '../../../src/console/sign-in/recheck.ts'
import { hashApiKey } from '../../../src/lib/api-key.ts'
import { createSecretBox } from '../../../src/lib/secret-box.ts'
import { createAuditStore } from '../../../src/storage/stores/console/audit.ts'
import { createSessionStore } from '../../../src/storage/stores/console/sessions.ts'
import { createSignInStore } from '../../../src/storage/stores/console/sign-ins.ts'
import { createPrincipalStore } from '../../../src/storage/stores/principals/principals.ts'
import { onBothStores } from '../../support/databases.ts'
import { fakeClock } from '../../support/fake-clock.ts'

const clock = fakeClock()
const SECOND_MS = 1_000
const ISSUER = 'https://id.example'
const box = createSecretBox('a secret for the tests of sessions')

type Confirmed = Awaited<ReturnType<Provider['rolesNow']>>
let confirmed: Confirmed
let asked: number
let meanwhile: (() => Promise<unknown>) | undefined

onBothStores(
  'the access of a person',
  (database) => {
    const instance = ({ issuer = ISSUER } = {}) => {
      const transact = database().transact
      const sessions = createSessionStore(database())
      const audit = createAuditStore(database())
      const principals = createPrincipalStore(database(), clock)
      return createSessions({
        transact,
        clock,
        sessions,
        audit,
        principals,
        demoKey: () => undefined,
        keyOwner: async () => undefined,
        rolesOfPerson: createRecheck({
          transact,
          sessions,
          audit,
          signIns: createSignInStore(database()),
          names: async () => new Map([['prn_ada', 'Ada']]),
          provider: {
            rolesNow: async () => {
              asked += 1
              await meanwhile?.()
              return confirmed
            },
          },
          issuer,
          box,
          clock,
          recheckMs: 300 * SECOND_MS,
        }),
      })
    }
    let cookie: string
    beforeEach(async () => {
      asked = 0
      meanwhile = undefined
      confirmed = { ok: true, roles: ['viewer'], tokens: { access_token: 't2' } }
      const sessions = createSessionStore(database())
      const principals = createPrincipalStore(database(), clock)
      const signIns = createSignInStore(database())
      await database().transact(async (tx) => {
        for (const table of ['console_sessions', 'console_people', 'console_audit', 'principals']) {
          await tx.run(`DELETE FROM ${table}`)
        }
        const principal = await principals.addPerson(tx, { principal_id: 'prn_ada', name: 'Ada' })
        await signIns.addPerson(tx, { issuer: ISSUER, subject: 'ada', principal_id: 'prn_ada' })
        const opened = await openSession({ sessions, audit: createAuditStore(database()) }, tx, {
          holder: { principal, roles: ['viewer', 'operator'] },
          address: '192.0.2.1',
          keyHash: '',
          personOf: (hash, now) => ({
            roles: ['viewer', 'operator'],
            tokens: sealTokens(box, hash, { access_token: 't1', refresh_token: 'r1' }),
            checked_at: now,
          }),
          action: 'session.sign_in',
          detail: '',
        })
        cookie = opened.cookie
      })
    })
    const rolesOf = async (of = instance()) => (await of.visitorOf(cookie))?.roles
    const ended = async () =>
      (await createAuditStore(database()).list({ action: 'session.ended', limit: 5 })).rows

    test('is not asked for again within the time', async () => {
      clock.advance(299 * SECOND_MS)
      expect(await rolesOf()).toEqual(['viewer', 'operator'])
      expect(asked).toBe(0)
    })

    test('has the roles of the groups as they are after that time', async () => {
      clock.advance(300 * SECOND_MS)
      expect(await rolesOf()).toEqual(['viewer'])
      expect(await rolesOf()).toEqual(['viewer'])
      expect(asked).toBe(1)
    })

    test('ends when the last group was removed, and the audit log says so', async () => {
      confirmed = { ok: true, roles: [], tokens: { access_token: 't2' } }
      clock.advance(300 * SECOND_MS)
      expect(await rolesOf()).toBeUndefined()
      confirmed = { ok: true, roles: ['viewer'], tokens: { access_token: 't2' } }
      expect(await rolesOf()).toBeUndefined()
      expect(await ended()).toMatchObject([
        { principal_name: 'Ada', detail: expect.stringContaining('no group') },
      ])
    })

    test('ends when the provider has ended the sign-in', async () => {
      confirmed = { ok: false, why: 'denied', detail: 'invalid_grant' }
      clock.advance(300 * SECOND_MS)
      expect(await rolesOf()).toBeUndefined()
      expect(await ended()).toHaveLength(1)
    })

    test('ends when another issuer was configured', async () => {
      clock.advance(300 * SECOND_MS)
      expect(await rolesOf(instance({ issuer: 'https://new.example' }))).toBeUndefined()
      expect(asked).toBe(0)
    })

    test('lasts twice the time while the provider is unreachable, and is held back after that', async () => {
      confirmed = { ok: false, why: 'unreachable', detail: 'down' }
      clock.advance(599 * SECOND_MS)
      expect(await rolesOf()).toEqual(['viewer', 'operator'])
      clock.advance(6 * SECOND_MS)
      await expect(rolesOf()).rejects.toMatchObject({ refusal: { status: 503 } })
      // The provider is not asked more often than every five seconds.
      expect(asked).toBe(2)
      await expect(rolesOf()).rejects.toMatchObject({ refusal: { status: 503 } })
      expect(asked).toBe(2)
      confirmed = { ok: true, roles: ['viewer'], tokens: { access_token: 't2' } }
      clock.advance(5 * SECOND_MS)
      expect(await rolesOf()).toEqual(['viewer'])
    })

    test('is confirmed once for several requests, and by one of several instances', async () => {
      clock.advance(300 * SECOND_MS)
      const other = instance()
      let seen: unknown
      // A refresh token that is used twice would end the sign-in at many providers.
      meanwhile = async () => {
        seen = await rolesOf(other)
      }
      const one = instance()
      const all = await Promise.all([rolesOf(one), rolesOf(one), rolesOf(one)])
      expect(all).toEqual([['viewer'], ['viewer'], ['viewer']])
      expect(seen).toEqual(['viewer', 'operator'])
      expect(asked).toBe(1)
      expect(await rolesOf(other)).toEqual(['viewer'])
    })

    test('its tokens cannot be used for another session', async () => {
      await database().transact(async (tx) => {
        const tokens = sealTokens(box, hashApiKey('other'), { access_token: 'stolen' })
        await tx.run('UPDATE console_sessions SET tokens = $1', [tokens])
      })
      clock.advance(300 * SECOND_MS)
      expect(await rolesOf()).toBeUndefined()
      expect(asked).toBe(0)
    })
  },
  { clock },
)
