import { expect, test } from 'vitest'
import { operatorManifest } from '../../src/keys/operator-manifest.ts'
import { checkBrandJson } from '../../src/protocol/brand-json.ts'

const publicUrl = 'https://ads.example'

test.each([publicUrl, `${publicUrl}/`, `${publicUrl}/mcp`, 'https://agents.other.example/sales'])(
  'spec 5: a valid brand.json has the signer of webhooks by its exact URL, once: %s',
  (agentUrl) => {
    const manifest = operatorManifest({ publicUrl, agentUrl, hasSignals: true })
    expect(checkBrandJson(manifest)).toMatchObject({ ok: true, variant: 'agents' })
    expect(manifest.agents.filter(({ url }) => url === agentUrl)).toMatchObject([
      { type: 'sales', jwks_uri: 'https://ads.example/.well-known/jwks.json' },
    ])
  },
)

test('the addresses of the creative and the signal agent are listed, unless that is private', () => {
  const listed = (hasSignals: boolean) =>
    operatorManifest({ publicUrl, agentUrl: publicUrl, hasSignals }).agents.map((agent) => [
      agent.type,
      agent.url,
    ])
  const others = [
    ['sales', 'https://ads.example'],
    ['creative', 'https://ads.example/mcp'],
    ['creative', 'https://ads.example/a2a'],
  ]
  expect(listed(true)).toEqual([
    ...others,
    ['signals', 'https://ads.example/mcp?agent=signals'],
    ['signals', 'https://ads.example/a2a?agent=signals'],
  ])
  expect(listed(false)).toEqual(others)
})
