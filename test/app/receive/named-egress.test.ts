import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { allowNamed } from '../../../src/app/receive/named-egress.ts'
import { createEgress } from '../../../src/lib/safe-fetch/safe-fetch.ts'

test('spec 5: an address that the operator named is reached, and no other private one', async () => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const names = [`http://127.0.0.1:${port}/agent`, 'https://rebound.example/agent']
  const resolve = async () => ['127.0.0.1']
  const egress = allowNamed(names, createEgress({ resolve }))
  onTestFinished(() => egress.close())
  const at = async (url: string) => {
    const answer = await egress.fetch({ url })
    return answer.ok ? answer.status : answer.code
  }
  expect(await at(`http://127.0.0.1:${port}/keys`)).toBe(200)
  expect(await at(`http://127.0.0.2:${port}/keys`)).toBe('scheme_refused')
  expect(await at(`https://127.0.0.2:${port}/keys`)).toBe('address_refused')
  // Where a name leads is up to its holder, so naming it opens nothing.
  expect(await at(`https://rebound.example:${port}/keys`)).toBe('address_refused')
  expect(await at('no URL')).toBe('invalid_url')
})
