import { expect, test } from 'vitest'
import { announce } from '../../../src/app/receive/announce.ts'
import type { ReceiveConfig } from '../../../src/app/receive/options.ts'

const LIMITS = { host: '127.0.0.1', retentionHours: 48, maxKeysPerSender: 10, routes: [] }
const never = new Promise<void>(() => {})

async function firstScreen(changes: Partial<ReceiveConfig>): Promise<string[]> {
  const said: string[] = []
  await announce({ ...LIMITS, sellers: [], ...changes } as unknown as ReceiveConfig, {
    port: 8421,
    receiver: {
      lookUpSeller: async (agentUrl) =>
        agentUrl.includes('away') ? { ok: false, reason: 'nobody\nthere' } : { ok: true, keys: 2 },
    },
    say: (line) => said.push(line),
    requested: never,
  })
  return said
}

test('says of each seller what was found, or why not, and ends with what to do next', async () => {
  const sellers = [
    { agentUrl: 'https://a.example', publishers: ['news.example'] },
    { agentUrl: 'https://away.example', pin: [{ kid: 'k1', kty: 'OKP' }] },
  ]
  expect(await firstScreen({ sellers })).toEqual([
    'adwire receive listens on http://127.0.0.1:8421',
    'keys are remembered for 48 hours, 10 of each sender at most',
    'trusts https://a.example, as news.example may pin its keys',
    'trusts https://away.example, pinned to k1',
    'found 2 keys of https://a.example',
    'found no keys of https://away.example: nobody?there. It is fetched again when a webhook arrives',
    'next: give sellers http://127.0.0.1:8421/hooks/<name> as push_notification_config.url, with a name of your choice',
  ])
})

test('a receiver that trusts no sender prints which flags to set', async () => {
  expect((await firstScreen({})).at(-1)).toMatch(
    /^no sender is trusted, .* Use --trust, --hmac or --bearer$/,
  )
})
