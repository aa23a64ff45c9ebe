import { expect, test } from 'vitest'
import { operatorManifest } from '../../src/keys/operator-manifest.ts'
import { checkBrandJson } from '../../src/protocol/brand-json.ts'

const publicUrl = 'https://ads.example'

test.each([publicUrl, `${publicUrl}/`, `${publicUrl}/mcp`, 'https://agents.other.example/sales'])(
  'spec 5: a valid brand.json has the signer of webhooks by its exact URL, once: %s',
  (agentUrl) => {
    const manifest = operatorManifest({ publicUrl, agentUrl })
    expect(checkBrandJson(manifest)).toMatchObject({ ok: true, variant: 'agents' })
    expect(manifest.agents.filter(({ url }) => url === agentUrl)).toMatchObject([
      { type: 'sales', jwks_uri: 'https://ads.example/.well-known/jwks.json' },
    ])
  },
)

test('the addresses of the creative and the signal agent are listed', () => {
  const { agents } = operatorManifest({ publicUrl, agentUrl: publicUrl })
  expect(agents.map(({ type, url }) => [type, url])).toEqual([
    ['sales', 'https://ads.example'],
    ['creative', 'https://ads.example/mcp'],
    ['creative', 'https://ads.example/a2a'],
  ])
})
