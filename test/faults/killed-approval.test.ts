// kill -9 of a server while a media buy waits for the seller, and right after the seller has decided: the decision is
// carried out once, and the buyer is notified of it once (spec 3.2, 6.4).

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { adwire } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { drained } from '../support/faults/ledger.ts'
import { createPlace } from '../support/faults/place.ts'
import { startReceiver } from '../support/faults/receiver.ts'
import { type Seller, SHORT_LEASE, startSeller } from '../support/faults/seller.ts'

const ENV = { ...SHORT_LEASE, ADWIRE_APPROVE_ABOVE: '*:1000' }

function buy(seller: Seller, url: string) {
  return seller.call('/v3/create_media_buy', {
    start_time: 'asap',
    end_time: new Date(Date.now() + 86_400_000).toISOString(),
    packages: [
      { product_id: 'daily_news_homepage', pricing_option_id: 'cpm_fixed', budget: 2_000 },
    ],
    push_notification_config: { url },
    idempotency_key: randomUUID(),
  })
}

test('spec 3.2: a server killed before and after the decision carries it out once', async () => {
  const place = await createPlace('sqlite')
  onTestFinished(place.drop)
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  const reported = (path: string, status: string) =>
    new Set(
      receiver.seen
        .filter((one) => one.path === path && one.status === status)
        .map((one) => one.idempotency_key),
    ).size
  const decide = (how: 'approve' | 'reject', taskId: unknown) =>
    adwire(['approvals', how, String(taskId), ...place.args], place.env)

  const first = await startSeller(place, ENV)
  const paths = ['/approved', '/rejected', '/late']
  const tasks: unknown[] = []
  for (const path of paths) {
    const answer = await buy(first, receiver.url(path))
    expect(answer).toMatchObject({ status: 'submitted' })
    tasks.push(answer.task_id)
    await eventually(() => expect(reported(path, 'input-required')).toBe(1))
  }
  // Decided, and killed before or while it is carried out.
  expect((await decide('approve', tasks[2])).code).toBe(0)
  await first.kill()
  // Decided while no server is there.
  expect((await decide('approve', tasks[0])).code).toBe(0)
  expect((await decide('reject', tasks[1])).code).toBe(0)
  expect((await decide('approve', tasks[1])).code).toBe(2)

  const second = await startSeller(place, ENV)
  await drained(place.database(), 120_000)
  await eventually(() => {
    expect(reported('/approved', 'completed')).toBe(1)
    expect(reported('/late', 'completed')).toBe(1)
    expect(reported('/rejected', 'failed')).toBe(1)
  })
  const status_filter = ['pending_creatives']
  const { media_buys } = await second.call('/v3/get_media_buys', { status_filter })
  expect(media_buys).toHaveLength(2)
  expect(await second.call('/v3/get_task_status', { task_id: tasks[1] })).toMatchObject({
    status: 'rejected',
  })
  expect(await second.stop()).toBe(0)
})
