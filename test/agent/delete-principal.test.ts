import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deletePrincipal } from '../../src/agent/delete-principal.ts'
import { authenticatePrincipal, createPrincipal } from '../../src/agent/principals.ts'
import { type Activation, moveActivation } from '../../src/signals/activation-state.ts'
import type { Database } from '../../src/storage/sql/database.ts'
import { createOutboxStore } from '../../src/storage/stores/outbox/outbox.ts'
import { createOwnedRowsStore, OWNED } from '../../src/storage/stores/principals/owned-rows.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { createActivationStore } from '../../src/storage/stores/signals/activations.ts'
import { createTaskStore } from '../../src/storage/stores/tasks/tasks.ts'
import { moveCircuit } from '../../src/webhooks/sender/circuit.ts'
import { onBothStores } from '../support/databases.ts'
import { addRow, contentOf, tablesOf } from '../support/tables.ts'

const portsOn = (database: Database) => ({
  transact: database.transact,
  principals: createPrincipalStore(database),
  ownedRows: createOwnedRowsStore(database),
  activations: createActivationStore(database),
})

onBothStores('deleting a principal', (database) => {
  const ports = () => portsOn(database())
  const create = async () => {
    const created = await createPrincipal(ports(), { name: 'Buyer' })
    if (!created.ok) throw new Error(created.message)
    return { id: created.principal.principal_id, key: created.key }
  }
  const remove = (id: string, isForced = false) => deletePrincipal(ports(), id, { isForced })
  const rowsOf = async (id: string) => {
    const counts: Record<string, number> = {}
    for (const [table, column] of Object.entries(OWNED)) {
      const sql = `SELECT count(*) AS n FROM ${table} WHERE ${column} = $1`
      counts[table] = (await database().read.get<{ n: number }>(sql, [id]))?.n ?? 0
    }
    return counts
  }
  const EVERYWHERE = Object.fromEntries(Object.keys(OWNED).map((table) => [table, 1]))
  const NOWHERE = Object.fromEntries(Object.keys(OWNED).map((table) => [table, 0]))

  /** A row in each table, as far as the tables allow what was not thought of. */
  async function fill(id: string): Promise<void> {
    const tables = Object.entries(OWNED)
    // What is assigned is there first, and the buy before what belongs to it.
    const places = ['media_buys', 'media_buy_packages']
    const placeOf = (table: string) => {
      if (table === 'creative_assignments') return places.length + 1
      return places.includes(table) ? places.indexOf(table) : places.length
    }
    tables.sort(([a], [b]) => placeOf(a) - placeOf(b))
    for (const [table, column] of tables) {
      const own = { task_id: `task-${id}`, channel_id: `channel-${id}`, lane: `${id} x` }
      const bought = {
        media_buy_id: `buy-${id}`,
        package_id: `package-${id}`,
        account_id: `account-${id}`,
        impairment_id: `impairment-${id}`,
        feedback_id: `feedback-${id}`,
        usage_id: `usage-${id}`,
        issuer: `issuer-${id}`,
      }
      const signing = {
        key_id: `key-${id}`,
        identity: `key of ${id}`,
        session_hash: `session-${id}`,
        link_id: `link-${id}`,
        token_hash: `token of ${id}`,
      }
      await addRow(database(), table, {
        ...own,
        ...bought,
        ...signing,
        creative_id: 'c',
        [column]: id,
      })
    }
    const found = await database().read.get<{ delivery_id: number }>(
      'SELECT delivery_id FROM webhook_deliveries WHERE owner = $1',
      [id],
    )
    await addRow(database(), 'webhook_attempts', { delivery_id: found?.delivery_id ?? 0 })
    await addRow(database(), 'task_history', { task_id: `task-${id}` })
    await addRow(database(), 'media_buy_history', { media_buy_id: `buy-${id}` })
  }

  test('knows every table that says whose its rows are', async () => {
    const owning = [...(await tablesOf(database()))].flatMap(([table, columns]) => {
      const names = columns.map(({ name }) => name)
      const column = ['owner', 'principal_id'].find((one) => names.includes(one))
      // The owner of a migration is a part of the program.
      const isOther = table === 'principals' || table === 'adwire_migrations'
      return column === undefined || isOther ? [] : [[table, column]]
    })
    expect(Object.fromEntries(owning)).toEqual(OWNED)
  })

  test('takes all that is its own, in every table, and nothing of another’s', async () => {
    const [gone, other] = [await create(), await create()]
    const before = await contentOf(database())
    await fill(other.id)
    const others = await contentOf(database())
    await fill(gone.id)
    expect(await rowsOf(gone.id)).toEqual(EVERYWHERE)

    expect(await remove(gone.id, true)).toMatchObject({
      status: 'deleted',
      principal: { name: 'Buyer' },
      ownedRows: { ended_tasks: 1, ended_webhooks: 1, creatives: 1, registrations: 1, keys: 1 },
    })
    expect(await rowsOf(gone.id)).toEqual(NOWHERE)
    expect(await rowsOf(other.id)).toEqual(EVERYWHERE)
    const isOthers = (row: string) => !row.includes(gone.id)
    const expected = { ...others }
    for (const table of ['principals', 'api_keys']) {
      expected[table] = (before[table] ?? []).filter(isOthers)
    }
    expect(await contentOf(database())).toEqual(expected)
    await remove(other.id, true)
  })

  test('from then on no key of it is accepted, and nothing reveals that it existed', async () => {
    const { id, key } = await create()
    expect(await remove(id)).toMatchObject({ status: 'deleted', ownedRows: { keys: 1 } })
    expect(await authenticatePrincipal(ports().principals, key)).toBeUndefined()
    expect(await ports().principals.get(id)).toBeUndefined()
    expect(await remove(id, true)).toEqual({ status: 'unknown' })
  })

  test.each([
    ['open_tasks', 'tasks', { completed_at: null }],
    ['waiting_webhooks', 'webhook_deliveries', { ended_at: null }],
    ['activations', 'signal_activations', { state: 'live' }],
    ['media_buys', 'media_buys', { due_at: 1 }],
    ['creatives', 'creatives', {}],
  ] as const)('is refused while it has %s, and changes nothing', async (what, table, given) => {
    const { id, key } = await create()
    const column = OWNED[table] as string
    await addRow(database(), table, { ...given, task_id: randomUUID(), [column]: id })
    const before = await contentOf(database())
    expect(await remove(id)).toMatchObject({ status: 'in_use', ownedRows: { [what]: 1 } })
    expect(await contentOf(database())).toEqual(before)
    expect(await authenticatePrincipal(ports().principals, key)).toMatchObject({ name: 'Buyer' })
    await database().transact((tx) => tx.run(`DELETE FROM ${table} WHERE ${column} = $1`, [id]))
    expect(await remove(id)).toMatchObject({ status: 'deleted' })
  })

  test('that fails on its way has deleted nothing', async () => {
    const { id, key } = await create()
    await fill(id)
    const before = await contentOf(database())
    const principals = {
      ...ports().principals,
      remove: async () => {
        throw new Error('the last step failed')
      },
    }
    const failing = deletePrincipal({ ...ports(), principals }, id, { isForced: true })
    await expect(failing).rejects.toThrow('the last step failed')
    expect(await contentOf(database())).toEqual(before)
    expect(await authenticatePrincipal(ports().principals, key)).toBeDefined()
    await remove(id, true)
  })

  test('what a call under way left behind goes when it is deleted once more', async () => {
    const { id } = await create()
    await remove(id)
    await addRow(database(), 'creatives', { owner: id })
    expect(await remove(id)).toMatchObject({ status: 'in_use', principal: undefined })
    expect(await remove(id, true)).toMatchObject({
      status: 'deleted',
      ownedRows: { creatives: 1 },
    })
    expect(await rowsOf(id)).toEqual(NOWHERE)
    await addRow(database(), 'creatives', { owner: '' })
    expect(await remove('', true)).toEqual({ status: 'unknown' })
  })

  describe('with work under way', () => {
    test('spec 3.3: what is live on a platform, or may be, is taken off it afterwards', async () => {
      const { id } = await create()
      const { activations, transact } = ports()
      const place = { principal_id: id, signal_agent_segment_id: 'sig' }
      const targets = ['live', 'activating', 'none'].map((platform) => ({
        ...({ type: 'platform', platform } as const),
      }))
      const ids = await transact(async (tx) => {
        const [live, activating] = (await activations.lock(tx, place, targets)) as [
          Activation,
          Activation,
        ]
        const begun = [live, activating].map((one) => begin(one))
        const [first, second] = begun as [Activation, Activation]
        const { activation_id } = first
        const moved = moveActivation(first, { type: 'live', at: 2, activation_id })
        if (!moved.ok) throw new Error(moved.message)
        await activations.save(tx, moved.activation)
        await activations.save(tx, second)
        return begun.map((one) => one.activation_id)
      })
      expect(await remove(id)).toMatchObject({ status: 'in_use', ownedRows: { activations: 2 } })
      expect(await remove(id, true)).toMatchObject({ status: 'deleted' })
      expect(await activations.find(id, ['sig'])).toEqual([])
      const due = await database().read.all<{ activation_id: string }>(
        'SELECT activation_id FROM signal_takedowns ORDER BY activation_id',
      )
      expect(due.map(({ activation_id }) => activation_id)).toEqual([...ids].sort())
    })

    test('spec 3.2: the outcome of a running step finds no task to be written to', async () => {
      const { id } = await create()
      const tasks = createTaskStore(database())
      const claimed = await database().transact(async (tx) => {
        await tasks.add(tx, {
          task_id: randomUUID(),
          owner: id,
          task_type: 'work',
          domain: 'creative',
          status: 'submitted',
          context: undefined,
          context_id: undefined,
          is_told: true,
          has_webhook: false,
          state: {},
          request: {},
          idempotency_key: undefined,
          deadlineMs: 60_000,
        })
        return tasks.claimDue(tx, { limit: 1, leaseMs: 30_000, types: ['work'] })
      })
      const [claim] = claimed
      if (!claim) throw new Error('the task is due')
      await remove(id, true)
      await database().transact(async (tx) => {
        expect(await tasks.renew(tx, claim, 30_000)).toBe(false)
        expect(await tasks.lock(tx, claim)).toBeUndefined()
        expect(await tasks.save(tx, claim)).toBe(false)
        expect(await tasks.release(tx, claim)).toBe(false)
      })
    })

    test('spec 6.4: the result of an attempt finds no delivery, and nothing is left in limbo', async () => {
      const { id } = await create()
      const outbox = createOutboxStore(database(), { moveCircuit })
      const endpoint = 'https://buyer.example/hook'
      const open = { endpoint, paused_at: null, expires_at: null }
      await addRow(database(), 'webhook_channels', { owner: id, channel_id: id, ...open })
      const channel = { channel_id: id, owner: id, subject: 's', endpoint, paused_at: undefined }
      await database().transact((tx) =>
        outbox.add(
          tx,
          [
            {
              channel,
              task_id: undefined,
              operation_id: undefined,
              body: new Uint8Array(2),
              notification_type: 'completed',
              sequence_number: undefined,
              idempotency_key: randomUUID(),
            },
          ],
          60_000,
        ),
      )
      const { claimed } = await database().transact((tx) =>
        outbox.claim(tx, { limit: 9, leaseMs: 30_000, choose: (due) => due }),
      )
      const { delivery_id, attempt } = claimed[0] ?? { delivery_id: 0, attempt: 0 }
      expect(attempt).toBe(1)
      await remove(id, true)
      const counts = await database().transact((tx) =>
        outbox.record(tx, [
          {
            delivery_id,
            attempt,
            owner: id,
            endpoint,
            status: 'success',
            says: 'up',
            http_status_code: 200,
            response_time_ms: 1,
            error_message: undefined,
            response_head: undefined,
            next: { state: 'delivered' },
            isGone: false,
          },
        ]),
      )
      expect(counts).toEqual([false])
      expect((await outbox.stats()).limbo).toBe(0)
      expect(await rowsOf(id)).toEqual(NOWHERE)
    })
  })
})

function begin(activation: Activation): Activation {
  const moved = moveActivation(activation, {
    type: 'begin',
    at: 1,
    activation_id: randomUUID(),
    task_id: 'task',
  })
  if (!moved.ok) throw new Error(moved.message)
  return moved.activation
}
