import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import type { NewMessage } from '../../src/webhooks/receiver/store.ts'
import { INBOX_TOPIC } from '../../src/webhooks/receiver/store.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { DAY_MS, inboxOn, LEASE_MS, LIMITS, newMessage } from '../support/inbox-contract.ts'

const clock = fakeClock()
const count = (outcomes: readonly string[], outcome: string) =>
  outcomes.filter((one) => one === outcome).length

onBothStores(
  'what the inbox accepts',
  (database, _store, another) => {
    const on = inboxOn(database, clock)
    const { accept, applyAll, claim, claimOne, clear, counters, inbox, one, sweep, wokenBy } = on
    beforeEach(clear)

    const onTwo = async <T>(work: (stores: ReturnType<typeof inbox>[]) => Promise<T>) => {
      const second = another()
      try {
        return await work([inbox(), createInboxStore(second, { clock })])
      } finally {
        await second.close()
      }
    }

    test('spec 6.4: a message is new once, and a duplicate from then on', async () => {
      const message = newMessage()
      expect(await accept([message])).toEqual(['new'])
      expect(await accept([message])).toEqual(['duplicate'])
      await applyAll()
      expect(await accept([message])).toEqual(['duplicate'])
      expect((await claim()).claimed).toEqual([])
      expect(await counters()).toMatchObject([{ kept: 1, changed: 0, rows: 1 }])
    })

    test('R3: what was accepted is claimed as it came, byte for byte', async () => {
      const body = randomBytes(70_000)
      const message = newMessage({
        body,
        route: 'r',
        operation_id: 'op-\u00fc',
        family: 'artifact',
      })
      await accept([message])
      const claimed = await claimOne()
      expect(Buffer.from(claimed.body).equals(body)).toBe(true)
      expect(claimed).toEqual({
        ...message,
        body: claimed.body,
        message_id: expect.any(Number),
        attempt: 1,
        previousWorker: undefined,
        received_at: clock.now(),
      })
    })

    test('what a message does not say stays unsaid', async () => {
      const unsaid = {
        task_id: undefined,
        operation_id: undefined,
        status: undefined,
        event_at: undefined,
      }
      await one({ ...unsaid, body: new Uint8Array() })
      const claimed = await claimOne()
      expect(claimed).toMatchObject(unsaid)
      expect(claimed.body).toHaveLength(0)
    })

    test('R4: the first copy wins; another body under its key is reported and counted', async () => {
      const first = newMessage({ body: Buffer.from('{"n":1}') })
      const other = newMessage({ ...first, body: Buffer.from('{"n":2}'), digest: 'other' })
      expect(await accept([first])).toEqual(['new'])
      expect(await accept([other, first, other])).toEqual(['changed', 'duplicate', 'changed'])
      expect(Buffer.from((await claimOne()).body).toString()).toBe('{"n":1}')
      expect(await counters()).toMatchObject([{ kept: 1, changed: 2, rows: 1 }])
    })

    test('3.2: a copy of what is not applied yet is reported as unfinished if requested', async () => {
      const strict = { ...LIMITS, reportUnfinished: true }
      const first = newMessage()
      const other = newMessage({ ...first, digest: 'other' })
      expect(await accept([first, first], strict)).toEqual(['new', 'unfinished'])
      expect(await accept([first, other], strict)).toEqual(['unfinished', 'changed'])
      expect(await accept([first])).toEqual(['duplicate'])
      await claimOne()
      expect(await accept([first], strict)).toEqual(['unfinished'])
      clock.advance(LEASE_MS + 1)
      await applyAll()
      expect(await accept([first, other], strict)).toEqual(['duplicate', 'changed'])
    })

    test('3.2: the digest of the first body is kept until its key is forgotten, and stays the first', async () => {
      const strict = { ...LIMITS, reportUnfinished: true, retentionMs: 7 * DAY_MS }
      const first = newMessage()
      const other = newMessage({ ...first, digest: 'other' })
      await accept([first], strict)
      await applyAll()
      clock.advance(7 * DAY_MS - 1)
      await sweep()
      expect(await onTwo(([, second]) => second!.accept([other, first], strict))).toEqual([
        'changed',
        'duplicate',
      ])
      clock.advance(2)
      await sweep()
      expect(await accept([other], strict)).toEqual(['new'])
    })

    test('a body that was kept by the digest of its bytes is known by it', async () => {
      const kept = newMessage({ digest: 'of the bytes' })
      await accept([kept])
      const again = { ...kept, digest: 'canonical', bytesDigest: 'of the bytes' }
      expect(await accept([again])).toEqual(['duplicate'])
      expect(await accept([{ ...again, bytesDigest: 'other' }])).toEqual(['changed'])
    })

    test('of several under one key in one batch the first wins', async () => {
      const first = newMessage({ body: Buffer.from('first') })
      const other = newMessage({ ...first, body: Buffer.from('other'), digest: 'other' })
      expect(await accept([first, other, first])).toEqual(['new', 'changed', 'duplicate'])
      expect(Buffer.from((await claimOne()).body).toString()).toBe('first')
      expect(await counters()).toMatchObject([{ kept: 1, changed: 1, rows: 1 }])
    })

    test('F14: the same key of another sender is another message', async () => {
      const message = newMessage()
      const foreign = { ...message, sender: 'https://other.example' }
      expect(await accept([message, foreign])).toEqual(['new', 'new'])
      expect(await counters()).toHaveLength(2)
    })

    test('senders and keys that run into each other are kept apart', async () => {
      const pairs = [
        ['ab', 'c'],
        ['a', 'bc'],
        ['a","b', 'c'],
        ['', 'abc'],
      ] as const
      for (const [sender, idempotency_key] of pairs) {
        expect(await one({ sender, idempotency_key })).toBe('new')
        expect(await one({ sender, idempotency_key })).toBe('duplicate')
      }
    })

    test('texts that a database cannot keep or index fail no batch', async () => {
      const odd = newMessage({
        task_id: 'a\u0000b\ud800',
        status: '\u0000',
        operation_id: randomBytes(10_000).toString('hex'),
        route: '\udc00',
      })
      expect(await accept([newMessage(), odd])).toEqual(['new', 'new'])
      await applyAll()
      expect(await inbox().ofOperation(odd.operation_id as string)).toHaveLength(1)
      expect(await on.position('a\u0000b\ud800')).toMatchObject({ isFinal: false })
    })

    test('F14: of 1000 at once under one key on two instances exactly one is new', async () => {
      const message = newMessage()
      const outcomes = await onTwo((stores) =>
        Promise.all(
          Array.from({ length: 1_000 }, (_, at) => stores[at % 2]?.accept([message], LIMITS)),
        ),
      )
      expect(count(outcomes.flat() as string[], 'new')).toBe(1)
      expect(count(outcomes.flat() as string[], 'duplicate')).toBe(999)
      expect(await counters()).toMatchObject([{ kept: 1, rows: 1 }])
    })

    test('two instances that race on many keys keep each once', async () => {
      const messages = Array.from({ length: 300 }, (_, at) =>
        newMessage({ sender: `s${at % 7}`, idempotency_key: `key-${at}` }),
      )
      const [forth, back] = await onTwo((stores) =>
        Promise.all([
          stores[0]?.accept(messages, LIMITS) ?? [],
          stores[1]?.accept(messages.toReversed(), LIMITS) ?? [],
        ]),
      )
      const both = (forth ?? []).map((outcome, at) => [outcome, back?.toReversed()[at]].sort())
      expect(both.every(([a, b]) => a === 'duplicate' && b === 'new')).toBe(true)
      for (const { kept, rows } of await counters()) expect(kept).toBe(rows)
    })

    test('a busy moment is one transaction, and its messages are applied in their order', async () => {
      let transactions = 0
      const counting = createInboxStore({
        ...database(),
        transact: (work) => {
          transactions++
          return database().transact(work)
        },
      })
      const messages = Array.from({ length: 200 }, () => newMessage())
      await Promise.all(messages.map((message) => counting.accept([message], LIMITS)))
      expect(transactions).toBe(1)
      const { claimed } = await claim({ limit: 200 })
      expect(claimed.map((each) => each.idempotency_key)).toEqual(
        messages.map((each) => each.idempotency_key),
      )
    })

    test('workers are woken for what is new, and not for a duplicate', async () => {
      const message = newMessage()
      expect(await wokenBy(() => accept([message]))).toEqual([INBOX_TOPIC])
      expect(await wokenBy(() => accept([message]))).toEqual([])
    })

    test('R3: what cannot be written is not answered, and nothing of it is kept', async () => {
      const failing = createInboxStore({
        ...database(),
        transact: (work) =>
          database().transact(async (tx) => {
            await work(tx)
            throw new Error('no commit')
          }),
      })
      const messages = [newMessage(), newMessage()]
      await expect(failing.accept(messages, LIMITS)).rejects.toThrow('no commit')
      expect(await counters()).toEqual([])
      expect(await accept(messages)).toEqual(['new', 'new'])
    })

    describe('the bound of a sender', () => {
      const bound = { maxPerSender: 3 }

      test('F15: a sender at its bound is full; duplicates and other senders are not', async () => {
        const known = newMessage()
        await accept([known, newMessage()])
        const requested = [newMessage(), newMessage(), known, newMessage({ sender: 'other' })]
        expect(await accept(requested, bound)).toEqual(['new', 'full', 'duplicate', 'new'])
        expect(await accept([known], bound)).toEqual(['duplicate'])
        expect(await counters()).toMatchObject([
          { sender: 'https://seller.example', kept: 3, rows: 3 },
          { sender: 'other', kept: 1, rows: 1 },
        ])
      })

      test('a batch that does not fit is taken as far as it goes, the first first', async () => {
        const messages = Array.from({ length: 5 }, () => newMessage())
        expect(await accept(messages, bound)).toEqual(['new', 'new', 'new', 'full', 'full'])
        expect(await accept([messages[4] ?? newMessage()], bound)).toEqual(['full'])
      })

      test('a key that comes twice in a batch has the place of its first copy', async () => {
        const [a, b] = [newMessage(), newMessage()]
        const room = { maxPerSender: 1 }
        expect(await accept([a, b, a], room)).toEqual(['new', 'full', 'duplicate'])
      })

      test('two under one key that does not fit are both full', async () => {
        const message = newMessage()
        const none = { maxPerSender: 0 }
        expect(await accept([message, { ...message, digest: 'x' }], none)).toEqual(['full', 'full'])
        expect(await counters()).toMatchObject([{ kept: 0, changed: 0, rows: 0 }])
      })

      test('R7: of 50 at once on two instances exactly as many are new as fit', async () => {
        const outcomes = await onTwo((stores) =>
          Promise.all(
            Array.from({ length: 50 }, (_, at) =>
              stores[at % 2]?.accept([newMessage()], { ...LIMITS, maxPerSender: 20 }),
            ),
          ),
        )
        expect(count(outcomes.flat() as string[], 'new')).toBe(20)
        expect(count(outcomes.flat() as string[], 'full')).toBe(30)
        expect(await counters()).toMatchObject([{ kept: 20, rows: 20 }])
      })

      test('many instances that race in turn never pass the bound', async () => {
        await onTwo(async (stores) => {
          for (let round = 0; round < 10; round++) {
            await Promise.all(
              stores.map((store) =>
                store.accept([newMessage(), newMessage(), newMessage({ sender: 'b' })], {
                  ...LIMITS,
                  maxPerSender: 15,
                }),
              ),
            )
          }
        })
        expect(await counters()).toMatchObject([
          { sender: 'b', kept: 15, rows: 15 },
          { sender: 'https://seller.example', kept: 15, rows: 15 },
        ])
      })

      test('what has expired and ended makes room, as much as there is', async () => {
        await accept([newMessage(), newMessage()], { retentionMs: 1_000 })
        await one({}, { retentionMs: 2_000 })
        await applyAll()
        clock.advance(1_000)
        const more = Array.from({ length: 3 }, () => newMessage())
        expect(await accept(more, bound)).toEqual(['new', 'new', 'full'])
        expect(await counters()).toMatchObject([{ kept: 3, rows: 3 }])
      })

      test('the bodies of a sender take no more than they may, be they few or many', async () => {
        const of = (size: number, over: Partial<NewMessage> = {}) =>
          newMessage({ body: Buffer.alloc(size, 32), ...over })
        const room = { maxBytesPerSender: 100, retentionMs: 1_000 }
        expect(await accept([of(60), of(41), of(40), of(1)], room)).toEqual([
          'new',
          'full',
          'new',
          'full',
        ])
        expect(await accept([of(100, { sender: 'other' })], room)).toEqual(['new'])
        const bytes = async () =>
          (
            await database().read.all<{ kept_bytes: number }>(
              'SELECT kept_bytes FROM webhook_inbox_senders ORDER BY sender',
            )
          ).map(({ kept_bytes }) => kept_bytes)
        expect(await bytes()).toEqual([100, 100])
        await applyAll()
        clock.advance(1_000)
        // What has ended makes room for as much as it took.
        expect(await accept([of(30)], room)).toEqual(['new'])
        expect(await bytes()).toEqual([30, 100])
      })

      test('what was not applied yet makes no room, however old', async () => {
        await accept([newMessage(), newMessage(), newMessage()])
        clock.advance(2 * DAY_MS)
        expect(await one({}, bound)).toBe('full')
        await applyAll()
        expect(await one({}, bound)).toBe('new')
      })

      test('a key is known until it is forgotten, and new after that', async () => {
        const message = newMessage()
        await accept([message])
        await applyAll()
        clock.advance(DAY_MS)
        expect(await accept([message])).toEqual(['duplicate'])
        expect(await sweep()).toBe(1)
        expect(await accept([message])).toEqual(['new'])
      })
    })
  },
  { clock },
)
