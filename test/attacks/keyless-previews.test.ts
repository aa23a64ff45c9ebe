// Previews that third parties have drawn again and again: they share one place, and callers with a key do not wait for them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEYLESS_DRAW_LIMITS } from '../../src/creative/rendering/keyless-draws.ts'
import { call, startApp, type TestApp } from '../support/app.ts'
import { PROMPT_MS, whileAnotherCalls } from '../support/other-caller.ts'

const VIEWERS = 60
/** More than may wait without a key, and less than may wait of one caller with a key. */
const WITH_KEY = 2 * KEYLESS_DRAW_LIMITS.waitingOfOne.value + 1

describe.each(['sqlite', 'postgres'] as const)('previews without a key, on %s', (store) => {
  let app: TestApp
  let key: string
  let previewId: string
  beforeAll(async () => {
    app = await startApp({ store, config: { registryVerifyConcurrency: 0 } })
    key = await app.principal()
    const format_id = { agent_url: app.url, id: 'display_300x250_image' }
    const answer = await call(`${app.url}/v3/preview_creative`, {
      key,
      body: {
        request_type: 'single',
        format_id,
        creative_manifest: {
          format_id,
          assets: {
            banner_image: {
              asset_type: 'image',
              url: 'https://cdn.example/a.png',
              width: 300,
              height: 250,
            },
            click_url: { asset_type: 'url', url: 'https://acme.example/?c={CLICK_URL}' },
          },
        },
      },
    })
    expect(answer.status).toBe(200)
    const { interactive_url } = answer.body as { interactive_url?: string }
    previewId = /previews\/([0-9a-f-]{36})/.exec(interactive_url ?? answer.text)?.[1] ?? ''
  })
  afterAll(() => app.stop())

  const render = (n: number, withKey?: string) =>
    call(`${app.url}/previews/${previewId}/render?role=0&CLICK_URL=${n}`, {
      ...(withKey === undefined ? {} : { key: withKey }),
    })

  test('they are drawn one by one or refused with Retry-After, and builds continue meanwhile', async () => {
    const build = () =>
      call(`${app.url}/v3/build_creative`, {
        key,
        body: {
          message: 'Shoes: summer sale. Buy at https://shoes.example',
          target_format_id: { agent_url: app.url, id: 'display_300x250_image' },
        },
      })
    const requested = performance.now()
    const { answers, built } = await whileAnotherCalls(app, key, async () => {
      const viewers = Promise.all(Array.from({ length: VIEWERS }, (_, n) => render(n)))
      return { built: await build(), answers: await viewers }
    })
    expect(built.status).toBe(200)
    expect(performance.now() - requested).toBeLessThan(3 * PROMPT_MS)
    const drawn = answers.filter(({ status }) => status === 200).length
    expect(drawn).toBeGreaterThanOrEqual(KEYLESS_DRAW_LIMITS.waitingOfOne.value)
    for (const { status, headers } of answers.filter((one) => one.status !== 200)) {
      expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    }
  })

  test('a viewer with a key is not one of them', async () => {
    const answers = await Promise.all(Array.from({ length: WITH_KEY }, (_, n) => render(n, key)))
    expect(answers.map(({ status }) => status)).toEqual(Array(WITH_KEY).fill(200))
  })
})
