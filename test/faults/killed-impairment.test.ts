// kill -9 of a server inside the window of an impairment: the fire still comes, and once (spec 6.3).

import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlOf } from '../../src/storage/sql/database.ts'
import { adwire } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { readLedger } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { SHORT_LEASE, startSeller } from '../support/faults/seller.ts'
import { DAY_MS } from '../support/media-buys.ts'

const SECRET = { ADWIRE_KEY_SECRET: 'a secret of thirty-two characters' }

describe.each(['sqlite', 'postgres'] as const)('a server on %s', (store) => {
  test('spec 6.3: when killed inside the window, the next server reports what is pending, once', async () => {
    const place = await createPlace(store)
    onTestFinished(place.drop)
    const receiver = await startReceiver()
    onTestFinished(receiver.close)
    const seller = await startSeller(place, SHORT_LEASE)
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    const buy = await seller.call('/v3/create_media_buy', {
      start_time: inDays(1),
      end_time: inDays(9),
      packages: [
        { product_id: 'daily_news_homepage', pricing_option_id: 'cpm_fixed', budget: 5_000 },
      ],
      push_notification_config: { url: receiver.url('/impaired'), operation_id: 'op-1' },
    })
    expect(buy).toMatchObject({ media_buy_id: expect.any(String) })
    const raise = (resource: string) =>
      adwire(
        [
          'impairments',
          'raise',
          String(buy.media_buy_id),
          '--resource-type',
          'property',
          '--resource-id',
          resource,
          '--to',
          'depublished',
          '--reason-code',
          'property_depublished',
          ...place.args,
        ],
        { ...place.env, ...SECRET },
      )
    for (const resource of ['a.example', 'b.example']) {
      expect([resource, (await raise(resource)).stderr]).toEqual([resource, ''])
    }
    await seller.kill()
    expect(receiver.seen).toEqual([])
    // Five minutes go by while no server runs.
    await place.database().transact(async (tx) => {
      await sqlOf(tx).run('UPDATE impairment_windows SET due_at = due_at - 300000')
    })

    const next = await startSeller(place, SHORT_LEASE)
    await eventually(() => expect(receiver.seen).toHaveLength(1))
    expect(await next.stop()).toBe(0)
    const { deliveries } = await readLedger(place.database())
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered'])
    const reported = JSON.parse(String(receiver.seen[0]?.body)) as { result: { changes: object[] } }
    expect(reported).toMatchObject({
      result: { notification_type: 'impairment', health: 'impaired' },
    })
    expect(reported.result.changes).toHaveLength(2)
  })
})
