import { beforeAll, expect, test } from 'vitest'
import { onBothStores } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'

onBothStores('a transaction', (database) => {
  const values = async () =>
    (await database().read.all<{ v: string }>('SELECT v FROM things ORDER BY v')).map(({ v }) => v)
  const put = (v: string) =>
    database().transact((tx) => tx.run('INSERT INTO things (v) VALUES ($1)', [v]))

  beforeAll(async () => {
    const { schema } = database()
    const place = schema === undefined ? '' : `${schema}.`
    await database().transact((tx) => tx.run(`CREATE TABLE ${place}things (v TEXT PRIMARY KEY)`))
  })

  test('answers with what its work returns, and its writes are there', async () => {
    expect(await put('kept')).toBe(1)
    expect(await values()).toContain('kept')
  })

  test('that throws undoes its own writes and those of no other', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        database().transact(async (tx) => {
          await tx.run('INSERT INTO things (v) VALUES ($1)', [`mixed-${n}`])
          if (n % 3 === 0) throw new Error(`stop ${n}`)
          return n
        }),
      ),
    )
    const kept = (await values()).filter((v) => v.startsWith('mixed-'))
    expect(kept).toHaveLength(13)
    outcomes.forEach((outcome, n) => {
      expect(outcome.status).toBe(n % 3 === 0 ? 'rejected' : 'fulfilled')
      expect(kept.includes(`mixed-${n}`)).toBe(outcome.status === 'fulfilled')
    })
  })

  test('whose statement fails can be followed by others', async () => {
    await put('twice')
    await expect(put('twice')).rejects.toThrow(/unique|duplicate/i)
    expect(await put('after')).toBe(1)
  })

  test('sees its own writes before others do', async () => {
    await database().transact(async (tx) => {
      await tx.run("INSERT INTO things (v) VALUES ('early')")
      expect(await tx.get("SELECT v FROM things WHERE v = 'early'")).toBeDefined()
      expect(await values()).not.toContain('early')
    })
    expect(await values()).toContain('early')
  })

  test('wakes the listeners of its topics after its commit, and not when it fails', async () => {
    // Once connected, a listener of PostgreSQL wakes everyone, for what it may have missed.
    let connected = database().dialect === 'sqlite'
    database().onWake('warm-up', () => {
      connected = true
    })
    await eventually(() => expect(connected).toBe(true))
    const received: string[][] = []
    const stopHearing = database().onWake('topic-a', () => {
      void values().then((seen) => received.push(seen))
    })

    const failing = database().transact(async (tx) => {
      await tx.wake('topic-a')
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    await database().transact(async (tx) => {
      await tx.wake('topic-b')
    })
    await database().transact(async (tx) => {
      await tx.wake('topic-a')
      await tx.run("INSERT INTO things (v) VALUES ('woken')")
    })
    await eventually(() => expect(received.length).toBeGreaterThan(0))
    expect(received).toEqual([expect.arrayContaining(['woken'])])
    stopHearing()
    await database().transact((tx) => tx.wake('topic-a'))
    expect(received).toHaveLength(1)
  })

  test('knows the time', async () => {
    const now = await database().transact((tx) => tx.now())
    expect(Math.abs(now - Date.now())).toBeLessThan(5_000)
  })

  test('a database that works has no faults', async () => {
    expect(await database().faults()).toEqual([])
  })
})
