import { describe, expect, test } from 'vitest'
import { countedAs, createCallerAddress } from '../../src/lib/caller-address.ts'

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is counted as %s', (address, counted) => {
  expect(countedAs(address)).toBe(counted)
})

test('without a trusted proxy, headers are ignored', () => {
  const addressOf = createCallerAddress([])
  expect(addressOf(from('192.0.2.7', '198.51.100.1'))).toBe('192.0.2.7')
})

describe('behind proxies', () => {
  const addressOf = createCallerAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])
  test.each([
    ['a proxy’s client', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'what its client made up is not believed',
      '10.0.0.1',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['two proxies', '10.0.0.1', '198.51.100.1, 192.0.2.1', '198.51.100.1'],
    ['a proxy over IPv6', '2001:db8::5', '198.51.100.1', '198.51.100.1'],
    ['a proxy in a mapped address', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['an IPv6 client', '10.0.0.1', '2a00:1:2:3:4::5', '2a00:1:2:3::/64'],
    ['a stranger who sends the header', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['no address before the proxy', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['proxies alone', '10.0.0.1', '10.0.0.2', '10.0.0.2'],
  ])('%s', (_what, peer, forwarded, counted) => {
    expect(addressOf(from(peer, forwarded))).toBe(counted)
  })
})
