// Many calls at once with one key: the first one does the work, and the others receive its outcome.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { AnyTask } from '../../src/protocol/task.ts'
import { type Answer, call, startApp, type TestApp } from '../support/app.ts'
import { migratedPostgres } from '../support/databases.ts'
import { type ExtraTasks, extraTasks } from '../support/extra-tasks.ts'

const CALLS = 50
const order = { sku: 'shoes', quantity: 2, idempotency_key: 'order-0123456789abcdef' }

interface Instances {
  apps: readonly TestApp[]
  /** A key that every instance knows. */
  key: string
}

async function onePostgres(moreTasks: readonly AnyTask[]): Promise<Instances> {
  const { url, drop } = await migratedPostgres()
  onTestFinished(drop)
  const apps: TestApp[] = []
  for (let instance = 0; instance < 2; instance++) {
    apps.push(await started({ moreTasks, config: { databaseUrl: url } }))
  }
  return { apps, key: (await apps[0]?.principal()) ?? '' }
}

async function oneSqlite(moreTasks: readonly AnyTask[]): Promise<Instances> {
  const app = await started({ moreTasks })
  return { apps: [app], key: await app.principal() }
}

async function started(options: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(options)
  onTestFinished(() => app.stop())
  return app
}

/** Orders that end in a later turn, so that other calls come in between. */
function slowOrders(): ExtraTasks {
  return extraTasks({ beforeOrder: () => new Promise((resolve) => setImmediate(resolve)) })
}

describe.each([
  ['two instances over one PostgreSQL', onePostgres],
  ['one instance over SQLite', oneSqlite],
] as const)('spec 7.3: %s', (_title, start) => {
  test(`${CALLS} calls at once with one key have one effect and one first answer`, async () => {
    const { tasks, orders } = slowOrders()
    const { apps, key } = await start(tasks)
    const place = (index: number) => {
      const { url } = apps[index % apps.length] as TestApp
      return call(`${url}/v3/place_order`, { key, body: { ...order, context: { index } } })
    }

    const answers = await Promise.all(Array.from({ length: CALLS }, (_, index) => place(index)))

    expect(orders).toHaveLength(1)
    const kinds = answers.map(kindOf)
    expect(kinds.filter((kind) => kind === 'first')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'replay' || kind === 'in flight')).toHaveLength(
      CALLS - 1,
    )
    for (const [index, { body }] of answers.entries()) expect(body.context).toEqual({ index })

    const first = answers[kinds.indexOf('first')]?.body
    for (const [index] of apps.entries()) {
      const { status, body } = await place(index)
      expect(status).toBe(200)
      expect(body).toEqual({ ...first, context: { index }, replayed: true })
    }
    expect(orders).toHaveLength(1)
  })

  test(`while the first call runs, the ${CALLS - 1} others hear that it does`, async () => {
    const { promise: allOthersReceived, resolve: letOrderEnd } = deferred()
    const { tasks, orders } = extraTasks({ beforeOrder: () => allOthersReceived })
    const { apps, key } = await start(tasks)
    let answered = 0
    const answers = await Promise.all(
      Array.from({ length: CALLS }, async (_, index) => {
        const { url } = apps[index % apps.length] as TestApp
        const answer = await call(`${url}/v3/place_order`, { key, body: order })
        if (++answered === CALLS - 1) letOrderEnd()
        return answer
      }),
    )
    expect(orders).toHaveLength(1)
    const kinds = answers.map(kindOf).sort()
    expect(kinds).toEqual(['first', ...Array(CALLS - 1).fill('in flight')])
    const late = answers.filter(({ status }) => status === 409)
    expect(late.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
  })

  test('calls at once with keys of their own have an effect each', async () => {
    const { tasks, orders } = slowOrders()
    const { apps, key } = await start(tasks)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => {
        const { url } = apps[index % apps.length] as TestApp
        const body = { ...order, idempotency_key: `order-${index}-0123456789abc` }
        return call(`${url}/v3/place_order`, { key, body })
      }),
    )
    expect(answers.map(kindOf)).toEqual(Array(10).fill('first'))
    expect(orders).toHaveLength(10)
  })

  test('one key of two principals is two keys', async () => {
    const { tasks, orders } = slowOrders()
    const { apps, key } = await start(tasks)
    const other = (await apps[0]?.principal()) ?? ''
    for (const { url } of apps.slice(-1)) {
      expect(kindOf(await call(`${url}/v3/place_order`, { key, body: order }))).toBe('first')
      expect(kindOf(await call(`${url}/v3/place_order`, { key: other, body: order }))).toBe('first')
    }
    expect(orders).toHaveLength(2)
  })

  test('a call that failed inside the server frees its key', async () => {
    let isBroken = true
    const { tasks, orders } = extraTasks({
      beforeOrder: async () => {
        if (isBroken) throw new Error('the warehouse burns')
      },
    })
    const { apps, key } = await start(tasks)
    const place = (app = apps[0]) => call(`${app?.url}/v3/place_order`, { key, body: order })

    const failed = await place()
    expect(failed.status).toBe(503)
    expect(failed.text).not.toContain('warehouse')
    expect(orders).toHaveLength(0)

    isBroken = false
    expect(kindOf(await place(apps.at(-1)))).toBe('first')
    expect(kindOf(await place())).toBe('replay')
    expect(orders).toHaveLength(1)
  })
})

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function kindOf({ status, body }: Answer): string {
  const errors = (body.errors ?? []) as { code: string }[]
  if (status === 200) return body.replayed === true ? 'replay' : 'first'
  if (status === 409 && errors[0]?.code === 'IDEMPOTENCY_IN_FLIGHT') return 'in flight'
  return `${status} ${JSON.stringify(body)}`
}
