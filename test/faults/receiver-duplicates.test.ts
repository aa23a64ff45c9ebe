// One idempotency_key a thousand times at once on four receivers (spec 6.4): every copy is acknowledged
// and one is applied, the first that was stored.

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import { eventually } from '../support/eventually.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { startFleet } from '../support/faults/receiver-fleet.ts'
import {
  type Answer,
  envelope,
  post,
  type Signed,
  startSender,
  verdict,
} from '../support/faults/receiver-sender.ts'

const COPIES = 1_000
const VARIANTS = 100

describe.each(['sqlite', 'postgres'] as const)('four receivers on %s', (store) => {
  test('spec 6.4: apply a message once that comes a thousand times at once', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const [sender, other] = [await startSender(), await startSender()]
    const { urls, lines } = await startFleet(place, { trust: [sender.agentUrl, other.agentUrl] })
    const sendAll = (signed: readonly Signed[]): Promise<Answer[]> =>
      Promise.all(signed.map((one, n) => post(urls[n % urls.length]!, one)))

    const body = envelope()
    const copies = await Promise.all(Array.from({ length: COPIES }, () => sender.sign(body)))
    const verdicts = (await sendAll(copies)).map(verdict)
    expect(countOf(verdicts)).toEqual({ '200 accepted': 1, '200 duplicate': COPIES - 1 })

    // The same key with other bodies, at once: which is the first, only the receivers can say.
    const idempotency_key = randomUUID()
    const variants = Array.from({ length: VARIANTS }, (_, n) =>
      envelope({ idempotency_key, result: { n } }),
    )
    const changed = await sendAll(await Promise.all(variants.map((one) => sender.sign(one))))
    expect(countOf(changed.map(verdict))).toEqual({
      '200 accepted': 1,
      '200 duplicate': VARIANTS - 1,
    })
    const first = variants[changed.findIndex(({ outcome }) => outcome === 'accepted')]
    const late = await post(urls[3]!, await sender.sign({ ...first, status: 'failed' }))
    expect(verdict(late)).toBe('200 duplicate')

    // A key is the sender's own.
    const theirs = envelope({ idempotency_key: body.idempotency_key, status: 'completed' })
    expect(verdict(await post(urls[1]!, await other.sign(theirs)))).toBe('200 accepted')

    await nothingWaits(place)
    const applied = lines().map(({ sender: by, applied, payload }) => ({ by, applied, payload }))
    expect(applied).toHaveLength(3)
    expect(applied).toEqual(
      expect.arrayContaining([
        { by: sender.agentUrl, applied: true, payload: body },
        { by: sender.agentUrl, applied: true, payload: first },
        { by: other.agentUrl, applied: true, payload: theirs },
      ]),
    )
    const { changed_bodies } = (await place
      .database()
      .read.get<{ changed_bodies: number }>(
        'SELECT changed_bodies FROM webhook_inbox_senders WHERE sender = $1',
        [sender.agentUrl],
      ))!
    expect(changed_bodies).toBe(VARIANTS)
  })
})

async function nothingWaits(place: Place): Promise<void> {
  await eventually(async () => {
    const { waiting } = await createInboxStore(place.database()).stats()
    expect(waiting).toEqual({ pending: 0, leased: 0, dead: 0 })
  })
}

function countOf(verdicts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of verdicts) counts[one] = (counts[one] ?? 0) + 1
  return counts
}
