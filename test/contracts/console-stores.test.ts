import { beforeEach, describe, expect, test } from 'vitest'
import { createAuditStore } from '../../src/storage/stores/console/audit.ts'
import { createConsoleQueries } from '../../src/storage/stores/console/queries.ts'
import { createSessionStore } from '../../src/storage/stores/console/sessions.ts'
import { createSignInStore } from '../../src/storage/stores/console/sign-ins.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { createTaskStore } from '../../src/storage/stores/tasks/tasks.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { failure, outboxOn, success } from '../support/outbox-contract.ts'

const clock = fakeClock()
const HOUR_MS = 3_600_000

onBothStores(
  'the stores of the console',
  (database) => {
    const on = outboxOn(database, clock)
    const { claim, one, operations, outbox, put, record } = on
    const queries = () => createConsoleQueries(database())
    const sessions = () => createSessionStore(database())
    const audit = () => createAuditStore(database())
    const transact = <T>(work: Parameters<ReturnType<typeof database>['transact']>[0]) =>
      database().transact(work) as Promise<T>
    beforeEach(async () => {
      await on.clear()
      for (const table of [
        'console_sessions',
        'console_sign_ins',
        'console_people',
        'console_audit',
        'tasks',
        'principals',
      ]) {
        await database().transact((tx) => tx.run(`DELETE FROM ${table}`))
      }
    })

    describe('sessions', () => {
      const session = (name: string, over: object = {}) => ({
        session_hash: name,
        key_hash: 'k',
        principal_id: 'prn_a',
        created_at: clock.now(),
        seen_at: clock.now(),
        expires_at: clock.now() + HOUR_MS,
        session_id: `ses_${name}`,
        address: undefined,
        person: undefined,
        ...over,
      })

      test('the newest stay when there are more than a principal may have', async () => {
        for (const name of ['a', 'b', 'c']) {
          clock.advance(1)
          await transact((tx) => sessions().add(tx, session(name), 2))
        }
        await transact((tx) => sessions().add(tx, session('x', { principal_id: 'prn_b' }), 2))
        expect(await sessions().get('a')).toBeUndefined()
        expect(await sessions().get('b')).toMatchObject({ principal_id: 'prn_a' })
        expect(await sessions().get('x')).toBeDefined()
      })

      test('one ends once, and what is over or unused is swept', async () => {
        await transact((tx) => sessions().add(tx, session('a'), 9))
        expect(await transact((tx) => sessions().end(tx, 'a'))).toBe(true)
        expect(await transact((tx) => sessions().end(tx, 'a'))).toBe(false)
        await transact((tx) => sessions().add(tx, session('old', { expires_at: clock.now() }), 9))
        await transact((tx) => sessions().add(tx, session('idle', { seen_at: 5 }), 9))
        await transact((tx) => sessions().add(tx, session('good'), 9))
        const before = { expired: clock.now(), unseenSince: 10 }
        expect(await transact((tx) => sessions().sweep(tx, before))).toBe(2)
        expect(await sessions().get('good')).toBeDefined()
      })

      test('a request is noted, and never an earlier one', async () => {
        await transact((tx) => sessions().add(tx, session('a'), 9))
        await transact((tx) => sessions().touch(tx, 'a', clock.now() + 5))
        await transact((tx) => sessions().touch(tx, 'a', clock.now() + 1))
        expect(await sessions().get('a')).toMatchObject({ seen_at: clock.now() + 5 })
      })
    })

    describe('the session of a person', () => {
      const PERSON = { roles: ['viewer', 'operator'], tokens: 'sealed', checked_at: 100 } as const
      const add = (name: string) =>
        transact((tx) =>
          sessions().add(tx, { ...SESSION, session_hash: name, session_id: `ses_${name}` }, 9),
        )
      const SESSION = {
        session_hash: '',
        session_id: '',
        key_hash: '',
        principal_id: 'prn_person',
        address: '192.0.2.1',
        created_at: 5,
        seen_at: 5,
        expires_at: 1_000,
        person: PERSON,
      }

      test('is kept with its roles and tokens', async () => {
        await add('a')
        expect(await sessions().get('a')).toEqual({
          ...SESSION,
          session_hash: 'a',
          session_id: 'ses_a',
        })
      })

      test('is checked by one instance at a time, and again when that one is gone', async () => {
        await add('a')
        const claim = (now: number, checked_at = 100) =>
          transact((tx) => sessions().claimCheck(tx, 'a', { checked_at, now, until: now + 30 }))
        expect([await claim(200), await claim(229), await claim(230)]).toEqual([true, false, true])
        const person = { roles: ['viewer'], tokens: 'new', checked_at: 240 } as const
        await transact((tx) => sessions().checked(tx, 'a', person))
        expect(await sessions().get('a')).toMatchObject({ person })
        expect([await claim(300), await claim(300, 240)]).toEqual([false, true])
      })

      test('is listed with others, the newest first, and ended by its id', async () => {
        const principals = createPrincipalStore(database())
        await transact((tx) =>
          principals.addPerson(tx, { principal_id: 'prn_person', name: 'Ada' }),
        )
        for (const name of ['a', 'b', 'c']) await add(name)
        const page = { now: 500, unseenSince: 0, limit: 2 }
        const first = await sessions().list(page)
        expect(first).toMatchObject([
          { session_id: 'ses_c', principal_name: 'Ada', roles: ['viewer', 'operator'] },
          { session_id: 'ses_b' },
        ])
        const after = { created_at: 5, session_id: 'ses_b' }
        expect(await sessions().list({ ...page, after })).toMatchObject([{ session_id: 'ses_a' }])
        expect(await sessions().list({ ...page, now: 1_000 })).toEqual([])
        expect(await transact((tx) => sessions().endById(tx, 'ses_a'))).toBe('prn_person')
        expect(await transact((tx) => sessions().endById(tx, 'ses_a'))).toBeUndefined()
        expect(await sessions().get('a')).toBeUndefined()
      })
    })

    describe('a sign-in at the identity provider', () => {
      const signIns = () => createSignInStore(database())
      const begun = {
        state_hash: 's1',
        browser_hash: 'b1',
        return_to: '/console/deliveries?q=x',
        expires_at: 100,
      }

      test('is taken once', async () => {
        await transact((tx) => signIns().begin(tx, begun))
        expect(await transact((tx) => signIns().take(tx, 's1'))).toEqual(begun)
        expect(await transact((tx) => signIns().take(tx, 's1'))).toBeUndefined()
      })

      test('is swept once it has expired', async () => {
        await transact((tx) => signIns().begin(tx, begun))
        expect(await transact((tx) => signIns().sweep(tx, 99))).toBe(0)
        expect(await transact((tx) => signIns().sweep(tx, 100))).toBe(1)
      })

      test('a person is found by issuer and subject together', async () => {
        const ada = { issuer: 'https://id.example', subject: 'ada' }
        await transact((tx) => signIns().addPerson(tx, { ...ada, principal_id: 'prn_1' }))
        expect(await transact((tx) => signIns().person(tx, ada))).toBe('prn_1')
        const other = { ...ada, issuer: 'https://other.example' }
        expect(await transact((tx) => signIns().person(tx, other))).toBeUndefined()
        expect(await signIns().identityOf('prn_1')).toEqual(ada)
      })
    })

    describe('the audit log', () => {
      const entry = (action: string, principal_id = 'prn_a') => ({
        principal_id,
        principal_name: 'A',
        action,
        target: '7',
        outcome: 'done' as const,
        detail: 'zero \u0000 byte',
      })

      test('lists the newest first, in pages, by who and what', async () => {
        for (const n of [1, 2, 3]) await transact((tx) => audit().add(tx, entry(`a.${n}`)))
        await transact((tx) => audit().add(tx, entry('a.1', 'prn_b')))
        const first = await audit().list({ limit: 2 })
        expect([first.rows.map((row) => row.action), first.hasMore]).toEqual([['a.1', 'a.3'], true])
        const second = await audit().list({ limit: 2, before: first.rows[1]?.audit_id })
        expect([second.rows.map((row) => row.action), second.hasMore]).toEqual([
          ['a.2', 'a.1'],
          false,
        ])
        expect((await audit().list({ limit: 9, principal_id: 'prn_b' })).rows).toHaveLength(1)
        expect((await audit().list({ limit: 9, action: 'a.1' })).rows).toHaveLength(2)
      })

      test('finds entries by outcome and address, and counts further attempts of one', async () => {
        const refused = { ...entry('in'), outcome: 'refused' as const, address: '192.0.2.1' }
        const id = await transact<number>((tx) => audit().add(tx, { ...refused, key_id: 'key_1' }))
        await transact((tx) => audit().add(tx, { ...refused, address: '192.0.2.2' }))
        await transact((tx) => audit().add(tx, entry('done')))
        expect((await audit().list({ limit: 9, outcome: 'refused' })).rows).toHaveLength(2)
        expect((await audit().list({ limit: 9, outcome: 'done' })).rows).toMatchObject([
          { action: 'done', attempts: 1, address: undefined, last_at: undefined },
        ])
        clock.advance(5)
        await transact((tx) => audit().addAttempts(tx, id, 41))
        expect((await audit().list({ limit: 9, address: '192.0.2.1' })).rows).toMatchObject([
          { audit_id: id, attempts: 42, last_at: clock.now(), key_id: 'key_1' },
        ])
      })

      test('keeps the newest entries of unknown callers up to a number, and all of others', async () => {
        for (const n of [1, 2, 3, 4]) {
          await transact((tx) => audit().add(tx, entry(`u.${n}`, 'unknown')))
          await transact((tx) => audit().add(tx, entry(`k.${n}`)))
        }
        expect(await transact((tx) => audit().sweepUnknown(tx, 4))).toBe(0)
        expect(await transact((tx) => audit().sweepUnknown(tx, 2))).toBe(2)
        expect(await transact((tx) => audit().sweepUnknown(tx, 2))).toBe(0)
        const { rows } = await audit().list({ limit: 99 })
        expect(rows.map(({ action }) => action).sort()).toEqual([
          'k.1',
          'k.2',
          'k.3',
          'k.4',
          'u.3',
          'u.4',
        ])
      })

      test('forgets what is old, and nothing else', async () => {
        await transact((tx) => audit().add(tx, entry('old')))
        clock.advance(10)
        await transact((tx) => audit().add(tx, entry('new')))
        expect(await transact((tx) => audit().sweep(tx, clock.now()))).toBe(1)
        expect((await audit().list({ limit: 9 })).rows.map((row) => row.action)).toEqual(['new'])
      })
    })

    describe('deliveries', () => {
      test('an attempt keeps its headers without secrets, and its fault as a word', async () => {
        await one()
        const [claimed] = (await claim()).claimed
        if (!claimed) throw new Error('nothing was claimed')
        const request_headers = { Signature: 'sig1=:x:', Authorization: null }
        await record(failure(claimed, { fault: 'dns_failed', request_headers }))
        const returned = await operations().show(claimed.delivery_id)
        expect(returned).toMatchObject({ last_fault: 'dns_failed', scheme: 'rfc9421', form: 'mcp' })
        expect(returned?.history).toMatchObject([{ fault: 'dns_failed', request_headers }])
      })

      test('headers of before are read as well: they were written as JSON', async () => {
        await one()
        const [claimed] = (await claim()).claimed
        if (!claimed) throw new Error('nothing was claimed')
        await record(failure(claimed, { request_headers: { Signature: 'x' } }))
        const older = { 'content-type': 'application/json', Signature: 'sig1=:x:', Token: null }
        await database().transact((tx) =>
          tx.run('UPDATE webhook_attempts SET request_headers = $1', [JSON.stringify(older)]),
        )
        const returned = await operations().show(claimed.delivery_id)
        expect(returned?.history[0]?.request_headers).toEqual(older)
      })

      test('are found by operation, key, attempt and time', async () => {
        await one(undefined, { operation_id: 'op-x', idempotency_key: 'key-1' })
        const early = clock.now()
        clock.advance(30 * 60_000)
        await one(undefined, { operation_id: 'op-y' })
        const found = async (filter: Parameters<ReturnType<typeof operations>['list']>[0]) =>
          (await operations().list(filter)).map(({ operation_id }) => operation_id)
        expect(await found({ operation_id: 'op-x' })).toEqual(['op-x'])
        expect(await found({ idempotency_key: 'key-1' })).toEqual(['op-x'])
        expect(await found({ until: clock.now() })).toEqual(['op-x'])
        expect(await found({ since: early + 1 })).toEqual(['op-y'])
        expect(await found({ since: early, until: clock.now() + 1 })).toEqual(['op-y', 'op-x'])
        expect(await found({ isTried: true })).toEqual([])
        const { claimed } = await claim({ limit: 1 })
        for (const each of claimed) await record(failure(each))
        expect(await found({ isTried: true })).toEqual(['op-x'])
        expect(await queries().retrying()).toBe(1)
      })

      test('outcomes are counted by when they ended, and delays from the event', async () => {
        await one()
        await one()
        clock.advance(500)
        const { claimed } = await claim()
        const [first, second] = claimed
        if (!first || !second) throw new Error('two are due')
        await record(success(first))
        await record(failure(second, { next: { state: 'exhausted', reason: 'no' } }))
        const now = clock.now()
        expect(await queries().outcomes(now, now + 1)).toEqual({
          delivered: 1,
          exhausted: 1,
          cancelled: 0,
        })
        expect(await queries().outcomes(now + 1, now + 9)).toMatchObject({ delivered: 0 })
        expect(await queries().delays(now, 9)).toEqual([500])
      })
    })

    describe('a pause', () => {
      const HOOK = { owner: 'prn_a', endpoint: 'https://buyer.example/hook' }
      const pause = () => transact<boolean>((tx) => operations().pause(tx, HOOK))
      const resume = () => transact<boolean>((tx) => operations().resume(tx, HOOK))

      test('holds what is due, without a probe, until it is taken back', async () => {
        await one()
        expect(await pause()).toBe(true)
        expect(await pause()).toBe(false)
        expect((await claim()).claimed).toEqual([])
        clock.advance((30 * HOUR_MS) / 2)
        expect((await claim()).claimed).toEqual([])
        await database().transact((tx) => outbox().expire(tx))
        expect(await outbox().stats()).toMatchObject({ waiting: { held: 1 }, limbo: 0 })
        expect(await queries().circuits()).toMatchObject({ paused: 1 })
        expect(await resume()).toBe(true)
        expect(await resume()).toBe(false)
        expect((await claim()).claimed).toHaveLength(1)
        expect(await queries().circuits()).toMatchObject({ paused: 0 })
      })

      test('is of one principal’s endpoint alone', async () => {
        await one()
        await one(await put({ owner: 'prn_b' }))
        await pause()
        const { claimed } = await claim()
        expect(claimed.map(({ channel }) => channel.owner)).toEqual(['prn_b'])
      })

      test('outlives what was under way when it was made, whatever that says', async () => {
        await one()
        const { claimed } = await claim()
        await pause()
        for (const each of claimed) await record(success(each))
        await one()
        expect((await claim()).claimed).toEqual([])
        await resume()
        const again = (await claim()).claimed
        expect(again).toHaveLength(1)
        for (const each of again) await record(failure(each))
        clock.advance(2_000)
        expect((await claim()).claimed).toHaveLength(1)
      })

      test('of an endpoint whose circuit is open is followed by a probe', async () => {
        await on.openCircuit(HOOK.endpoint)
        await one()
        await one()
        await claim()
        await pause()
        clock.advance(HOUR_MS)
        expect((await claim()).claimed).toEqual([])
        await resume()
        expect((await claim()).claimed).toHaveLength(1)
      })
    })

    describe('endpoints', () => {
      test('are listed once each, in pages, however many registrations lead there', async () => {
        for (const url of ['https://a.example/', 'https://b.example/', 'https://c.example/x']) {
          for (let n = 0; n < 3; n++) await put({ url: `${url}?n=${n}` })
        }
        await put({ url: 'https://a.example/', owner: 'prn_b' })
        const first = await queries().endpoints({ limit: 3 })
        expect(first.rows.map(({ owner, endpoint }) => `${owner} ${endpoint}`)).toEqual([
          'prn_a https://a.example/',
          'prn_a https://b.example/',
          'prn_a https://c.example/x',
        ])
        const second = await queries().endpoints({ limit: 3, after: first.next })
        expect(second).toEqual({
          rows: [{ owner: 'prn_b', endpoint: 'https://a.example/' }],
          next: undefined,
        })
        const some = await queries().endpoints({ limit: 9, contains: 'c.ex' })
        expect(some.rows).toHaveLength(1)
        expect((await queries().endpoints({ limit: 9, owner: 'prn_b' })).rows).toHaveLength(1)
      })

      test('those in trouble are found by themselves', async () => {
        await put()
        await on.openCircuit('https://dead.example/hook')
        const HOOK = { owner: 'prn_a', endpoint: 'https://buyer.example/hook' }
        await transact((tx) => operations().pause(tx, HOOK))
        const found = async (state: 'open' | 'paused' | 'troubled') =>
          (await queries().endpoints({ limit: 9, state })).rows.map(({ endpoint }) => endpoint)
        expect(await found('open')).toEqual(['https://dead.example/hook'])
        expect(await found('paused')).toEqual([HOOK.endpoint])
        expect(await found('troubled')).toEqual([HOOK.endpoint, 'https://dead.example/hook'])
      })

      test('report their attempts, what waits, and the last delivery that arrived', async () => {
        const channel = await put()
        await one(channel)
        const [claimed] = (await claim()).claimed
        if (!claimed) throw new Error('nothing was claimed')
        await record(success(claimed))
        const deliveredAt = clock.now()
        clock.advance(1_000)
        await one(channel)
        const of = { owner: 'prn_a', endpoint: channel.endpoint }
        expect((await queries().endpointFacts([of]))[0]).toEqual({
          circuit: undefined,
          attempts: [expect.objectContaining({ status: 'success', http_status_code: 200 })],
          pending: 1,
          held: 0,
          last_delivered_at: deliveredAt,
          isGone: false,
        })
        expect(await queries().liveChannel(of, clock.now())).toMatchObject({
          channel_id: channel.channel_id,
        })
        expect(await queries().endpointChannels(of, 9)).toHaveLength(1)
      })

      test('of several, each is returned with its own facts, in the requested order', async () => {
        const url = 'https://shared.example/hook'
        for (const owner of ['prn_a', 'prn_b']) await one(await put({ owner, url }))
        const [first, second] = (await claim()).claimed
        if (!first || !second) throw new Error('two were not claimed')
        await record(success(first), failure(second))
        const deliveredAt = clock.now()
        await one(await put({ url: 'https://other.example/hook' }))
        const requested = [
          { owner: 'prn_c', endpoint: url },
          { owner: second.channel.owner, endpoint: url },
          { owner: 'prn_a', endpoint: 'https://other.example/hook' },
          { owner: first.channel.owner, endpoint: url },
        ]
        const reported = await queries().endpointFacts(requested)
        expect(
          reported.map(({ attempts, pending, last_delivered_at }) => [
            attempts.map(({ status }) => status),
            pending,
            last_delivered_at,
          ]),
        ).toEqual([
          [[], 0, undefined],
          [['failed'], 1, undefined],
          [[], 1, undefined],
          [['success'], 0, deliveredAt],
        ])
      })
    })

    describe('tasks', () => {
      const add = (task_id: string, over: object = {}) =>
        transact((tx) =>
          createTaskStore(database()).add(tx, {
            task_id,
            owner: 'prn_a',
            task_type: 'build',
            domain: 'creative',
            status: 'submitted',
            context: undefined,
            context_id: undefined,
            is_told: true,
            has_webhook: false,
            state: undefined,
            request: {},
            idempotency_key: undefined,
            deadlineMs: HOUR_MS,
            ...over,
          }),
        )

      test('of all principals are listed, the newest first, and every one once', async () => {
        for (const id of ['t1', 't2', 't3', 't4']) {
          await add(id, { owner: `prn_${id}`, status: id === 't3' ? 'working' : 'submitted' })
          if (id !== 't2') clock.advance(1)
        }
        await add('untold', { is_told: false })
        const seen: string[] = []
        let after: { created_at: number; task_id: string } | undefined
        for (;;) {
          const { rows, hasMore } = await queries().tasks({ limit: 1, after })
          const [row] = rows
          if (row) seen.push(row.task_id)
          after = row
          if (!hasMore) break
        }
        expect(seen).toEqual(['t4', 't3', 't2', 't1'])
        const open = { statuses: ['submitted', 'working'] as const, limit: 3 }
        const page = await queries().tasks(open)
        expect([page.rows.map(({ task_id }) => task_id), page.hasMore]).toEqual([
          ['t4', 't3', 't2'],
          true,
        ])
        expect(await queries().taskOwner('t1')).toBe('prn_t1')
        expect(await queries().taskOwner('untold')).toBeUndefined()
        const counts = await queries().taskCounts(0, 100)
        expect([counts.get('submitted'), counts.get('working')]).toEqual([3, 1])
      })

      test('are found by type, owner, id and time', async () => {
        await add('t1', { task_type: 'find' })
        clock.advance(10)
        await add('t2', { owner: 'prn_b' })
        const found = async (filter: object) =>
          (await queries().tasks({ limit: 9, ...filter })).rows.map(({ task_id }) => task_id)
        expect(await found({ task_type: 'find' })).toEqual(['t1'])
        expect(await found({ owner: 'prn_b' })).toEqual(['t2'])
        expect(await found({ task_id: 't1' })).toEqual(['t1'])
        expect(await found({ since: clock.now() })).toEqual(['t2'])
        expect(await found({ until: clock.now() })).toEqual(['t1'])
      })
    })

    test('a fingerprint changes with what it is of, and with nothing else', async () => {
      const before = await queries().fingerprints()
      expect(await queries().fingerprints()).toEqual(before)
      await one()
      const added = await queries().fingerprints()
      expect(added.deliveries).not.toBe(before.deliveries)
      expect(added.tasks).toBe(before.tasks)
      const [claimed] = (await claim()).claimed
      if (!claimed) throw new Error('nothing was claimed')
      const leased = await queries().fingerprints()
      expect(leased.deliveries).not.toBe(added.deliveries)
      await record(failure(claimed))
      const failed = await queries().fingerprints()
      expect(failed.deliveries).not.toBe(leased.deliveries)
      expect(failed.endpoints).not.toBe(leased.endpoints)
      expect(await queries().waitingApprovals(9)).toBe(0)
    })
  },
  { clock },
)
