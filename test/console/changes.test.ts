import { expect, test } from 'vitest'
import { TOPICS } from '../../src/console/api/events.ts'
import { CHANGES_EVERY_MS, createChanges, type Fingerprints } from '../../src/console/changes.ts'
import { coalesced } from '../../src/transports/http/console/event-routes.ts'

/** A clock that the test advances: pending timers run when it moves. */
function fakeTimers() {
  const waiting = new Set<{ at: number; run: () => void }>()
  let now = 0
  return {
    later: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run }
      waiting.add(timer)
      return () => void waiting.delete(timer)
    },
    advance: async (ms: number) => {
      now += ms
      for (const timer of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(timer)
        timer.run()
      }
      await settled()
    },
    waiting: () => waiting.size,
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

const SAME = Object.fromEntries(TOPICS.map((topic) => [topic, '1'])) as Fingerprints

function watched() {
  const timers = fakeTimers()
  let found: Fingerprints | Error = SAME
  let looks = 0
  const faults: unknown[] = []
  const changes = createChanges({
    later: timers.later,
    onFault: (error) => faults.push(error),
    fingerprints: async () => {
      looks += 1
      if (found instanceof Error) throw found
      return found
    },
  })
  const change = (over: Partial<Fingerprints> | Error) => {
    found = over instanceof Error ? over : { ...SAME, ...over }
  }
  return { ...timers, changes, change, faults, looks: () => looks }
}

test('many changes within a second are one notice, with each topic once', async () => {
  const { changes, change, advance } = watched()
  const received: string[][] = []
  changes.listen((topics) => received.push([...topics]))
  await settled()
  change({ deliveries: '2' })
  change({ deliveries: '3', tasks: '2' })
  await advance(CHANGES_EVERY_MS - 1)
  expect(received).toEqual([])
  await advance(1)
  expect(received).toEqual([['deliveries', 'tasks']])
  await advance(CHANGES_EVERY_MS)
  expect(received).toHaveLength(1)
})

test('nothing is looked for while no one listens', async () => {
  const { changes, advance, looks, waiting } = watched()
  await advance(10_000)
  expect(looks()).toBe(0)
  const stop = changes.listen(() => {})
  await settled()
  stop()
  await advance(10_000)
  expect([looks(), waiting()]).toEqual([1, 0])
})

test('a new listener receives no changes from before it subscribed', async () => {
  const { changes, change, advance } = watched()
  changes.listen(() => {})()
  await settled()
  change({ tasks: '9' })
  const received: unknown[] = []
  changes.listen((topics) => received.push(topics))
  await settled()
  await advance(CHANGES_EVERY_MS)
  expect(received).toEqual([])
})

test('a database that is unavailable is reported, and checked again', async () => {
  const { changes, change, advance, faults } = watched()
  const received: unknown[] = []
  changes.listen((topics) => received.push(topics))
  await settled()
  change(new Error('away'))
  await advance(CHANGES_EVERY_MS)
  expect(faults).toHaveLength(1)
  change({ audit: '2' })
  await advance(CHANGES_EVERY_MS)
  expect(received).toEqual([['audit']])
})

test('a reader that is slow gets one notice of all it missed', () => {
  const written: string[] = []
  let isFast = true
  const stream = coalesced((text) => {
    written.push(text)
    return isFast
  })
  stream.changed(['tasks'])
  isFast = false
  stream.changed(['tasks'])
  stream.changed(['deliveries'])
  stream.changed(['audit', 'deliveries'])
  stream.beat()
  expect(written).toHaveLength(2)
  isFast = true
  stream.drained()
  expect(written.at(-1)).toBe('event: changed\ndata: {"topics":["deliveries","audit"]}\n\n')
  stream.beat()
  expect(written.at(-1)).toBe(': beat\n\n')
})
