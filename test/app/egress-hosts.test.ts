import { expect, test } from 'vitest'
import { DEMO_BRANDS } from '../../src/app/demo/demo-brands.ts'
import { egressHosts } from '../../src/app/egress-hosts.ts'

const OURS = DEMO_BRANDS[0]?.domain ?? ''
const listening = () => 'http://127.0.0.1:8420'
const demo = (...entries: string[]) => egressHosts({ egressHosts: entries, demo: true }, listening)

test('a star does not shadow the names of the demo: neither its brands, nor acme.example', () => {
  const baseOf = demo('*.example=http://127.0.0.1:7000/{host}')
  expect(baseOf(OURS)).toBe(`http://127.0.0.1:8420/demo/${OURS}`)
  expect(baseOf('acme.example')).toBe('http://127.0.0.1:9000')
  expect(baseOf('shop.example')).toBe('http://127.0.0.1:7000/shop.example')
})

test('an entry for exactly that name does', () => {
  const baseOf = demo(`${OURS}=http://127.0.0.1:7001`, 'acme.example=http://127.0.0.1:7002')
  expect(baseOf(OURS)).toBe('http://127.0.0.1:7001')
  expect(baseOf('acme.example')).toBe('http://127.0.0.1:7002')
})

test('without --demo only the entries count', () => {
  const baseOf = egressHosts(
    { egressHosts: ['*.example=http://127.0.0.1:7000'], demo: false },
    listening,
  )
  expect(baseOf(OURS)).toBe('http://127.0.0.1:7000')
})
