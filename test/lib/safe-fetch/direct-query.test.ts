import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createDirectQuery,
  type DirectQueryOptions,
} from '../../../src/lib/safe-fetch/direct-query.ts'
import { parseHosts, watchedFile } from '../../../src/lib/safe-fetch/hosts-file.ts'
import { namesToAsk, parseResolvConf } from '../../../src/lib/safe-fetch/search-list.ts'
import { type DnsAnswer, startDnsServer } from '../../support/dns-server.ts'
import { httpServer, testEgress } from './loopback.ts'

const NEVER = new AbortController().signal

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-dns-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** A query that asks a server of the test, and knows nothing from this machine. */
async function asking(
  answers: Readonly<Record<string, DnsAnswer>>,
  options: DirectQueryOptions & { ttl?: number } = {},
) {
  const server = await startDnsServer((name) => answers[name], options)
  onTestFinished(server.close)
  const nothing = file('empty', '')
  const query = createDirectQuery({
    servers: [server.address],
    hostsPath: nothing,
    resolvConfPath: nothing,
    ...options,
  })
  return { server, query }
}

describe('a direct query', () => {
  test('finds the addresses of both families, with the shortest of their times', async () => {
    const { query } = await asking({ 'a.example': ['203.0.113.7', '2001:db8::7'] }, { ttl: 12 })
    const answer = await query('a.example', NEVER)
    expect(answer).toMatchObject({ kind: 'found', ttlMs: 12_000 })
    expect(answer.kind === 'found' && [...answer.addresses].sort()).toEqual([
      '2001:db8::7',
      '203.0.113.7',
    ])
  })

  test('is content with one family', async () => {
    const { query } = await asking({ four: ['203.0.113.7'], six: ['2001:db8::7'] })
    expect(await query('four', NEVER)).toMatchObject({ addresses: ['203.0.113.7'] })
    expect(await query('six', NEVER)).toMatchObject({ addresses: ['2001:db8::7'] })
  })

  test('does not wait for a family that never answers when the other has', async () => {
    const server = await startDnsServer((_name, family) =>
      family === 4 ? ['203.0.113.7'] : undefined,
    )
    onTestFinished(server.close)
    const query = createDirectQuery({ servers: [server.address] })
    expect(await query('half.example', NEVER)).toMatchObject({ addresses: ['203.0.113.7'] })
  })

  test('distinguishes a name that does not exist, or has no address, from servers that do not answer', async () => {
    const { query } = await asking({ 'no.example': 'unknown', 'empty.example': [] })
    expect(await query('no.example', NEVER)).toEqual({ kind: 'absent' })
    expect(await query('empty.example', NEVER)).toEqual({ kind: 'absent' })
    const nobody = createDirectQuery({ servers: ['127.0.0.1:1'] })
    expect(await nobody('any.example', NEVER)).toEqual({ kind: 'failed' })
  })

  test('ends at once when it is aborted', async () => {
    const { query } = await asking({})
    const cut = new AbortController()
    const requested = query('silent.example', cut.signal)
    setImmediate(() => cut.abort())
    expect(await requested).toEqual({ kind: 'failed' })
    expect(await query('silent.example', cut.signal)).toEqual({ kind: 'failed' })
  })

  test('looks into the hosts file before anything else', async () => {
    const hostsPath = file('hosts', '10.1.2.3 Buyer.Internal buyer # ours\n::1 buyer\n')
    const { query, server } = await asking({}, { hostsPath })
    expect(await query('buyer.internal', NEVER)).toMatchObject({ addresses: ['10.1.2.3'] })
    expect(await query('buyer', NEVER)).toMatchObject({ addresses: ['10.1.2.3', '::1'] })
    expect(server.requested).toEqual([])
  })

  test('never queries special-use names', async () => {
    const { query, server } = await asking({})
    expect(await query('app.localhost', NEVER)).toMatchObject({ addresses: ['127.0.0.1', '::1'] })
    expect(await query('any.invalid', NEVER)).toEqual({ kind: 'absent' })
    expect(await query('any.onion.', NEVER)).toEqual({ kind: 'absent' })
    expect(server.requested).toEqual([])
  })

  test('queries short names with the suffixes of the system only where it is configured to', async () => {
    const resolvConfPath = file('resolv.conf', 'search one.internal two.internal\n')
    const answers = {
      'buyer.one.internal': 'unknown',
      'buyer.two.internal': ['10.0.0.9'],
      buyer: 'unknown',
    } as const
    const { query, server } = await asking(answers, { resolvConfPath, usesSearchList: true })
    expect(await query('buyer', NEVER)).toMatchObject({ addresses: ['10.0.0.9'] })
    const names = [...new Set(server.requested.map(({ name }) => name))]
    expect(names).toEqual(['buyer.one.internal', 'buyer.two.internal'])
    const { query: plain } = await asking(answers, { resolvConfPath })
    expect(await plain('buyer', NEVER)).toEqual({ kind: 'absent' })
  })
})

test('the guard queries the configured name servers, and uses only what it resolved', async () => {
  const receiver = await httpServer((_request, response) => response.end('here'))
  const dns = await startDnsServer((name) =>
    name === 'buyer.example' ? ['127.0.0.1'] : ['127.0.0.1', '10.0.0.1'],
  )
  onTestFinished(dns.close)
  const egress = testEgress({
    allow: ['127.0.0.0/8'],
    allowHttp: true,
    dnsServers: [dns.address],
  })
  const fetch = (host: string) => egress.fetch({ url: receiver.url('/', host) })
  expect(await fetch('buyer.example')).toMatchObject({ ok: true, body: Buffer.from('here') })
  expect(await fetch('mixed.example')).toMatchObject({ ok: false, code: 'address_refused' })
  const before = dns.requested.length
  expect(await fetch('buyer.example')).toMatchObject({ ok: true })
  expect(dns.requested).toHaveLength(before)
})

test('what had no turn within its time is busy, and what had one late is checked against its own time', async () => {
  const dns = await startDnsServer(() => undefined)
  onTestFinished(dns.close)
  const egress = testEgress({ dnsServers: [dns.address], dnsTimeoutMs: 200 })
  const request = (n: number, queueTimeoutMs: number, totalTimeoutMs = 10_000) =>
    egress.fetch({
      url: `https://never-${n}.example/`,
      owner: 'alice',
      totalTimeoutMs,
      queueTimeoutMs,
    })
  const first = Array.from({ length: 16 }, (_, n) => request(n, 0))
  // Shorter than the wait for its turn: the clock does not run yet.
  const patient = request(16, 5_000, 100)
  expect(await request(17, 10)).toMatchObject({ ok: false, code: 'busy' })
  for (const result of await Promise.all(first)) {
    expect(result).toMatchObject({ ok: false, code: 'dns_timeout' })
  }
  expect(await patient).toMatchObject({ ok: false, code: 'timeout' })
  expect(dns.requested.some(({ name }) => name === 'never-16.example')).toBe(true)
})

describe('files of the system', () => {
  test('a hosts file is read line by line, comments and nonsense left out', () => {
    const hosts = parseHosts(
      '# 1.1.1.1 no\n\n127.0.0.1\tlocalhost  Local.\r\nnonsense here\n10.0.0.1 b#c\n10.0.0.1 b\n',
    )
    expect([...hosts]).toEqual([
      ['localhost', ['127.0.0.1']],
      ['local', ['127.0.0.1']],
      ['b', ['10.0.0.1']],
    ])
  })

  test('a resolv.conf has suffixes and ndots; of several the last count', () => {
    const text =
      'nameserver 10.0.0.1\ndomain old.example\nsearch A.example. b.example ; no\noptions ndots:5 rotate\n'
    expect(parseResolvConf(text)).toEqual({ suffixes: ['a.example', 'b.example'], ndots: 5 })
    expect(parseResolvConf('')).toEqual({ suffixes: [], ndots: 1 })
    const many = `search ${Array.from({ length: 20 }, (_, n) => `s${n}.example`).join(' ')}`
    expect(parseResolvConf(many).suffixes).toHaveLength(6)
  })

  test('a name with a dot is queried as it is before any suffix, and a fully qualified one only as it is', () => {
    const rules = { suffixes: ['x', 'y'], ndots: 5 }
    expect(namesToAsk('buyer.example', rules)).toEqual([
      'buyer.example',
      'buyer.example.x',
      'buyer.example.y',
    ])
    expect(namesToAsk('buyer', rules)).toEqual(['buyer.x', 'buyer.y', 'buyer'])
    expect(namesToAsk('buyer.example.', rules)).toEqual(['buyer.example.'])
    expect(namesToAsk('a.b', { suffixes: ['x'], ndots: 1 })).toEqual(['a.b'])
  })

  test('is read again when it has changed, some seconds later, and is empty when it is gone', () => {
    const path = file('hosts', '10.0.0.1 a')
    let now = 0
    let parsed = 0
    const hosts = watchedFile(path, () => now)
    const read = () =>
      hosts((text) => {
        parsed++
        return text
      })
    expect(read()).toBe('10.0.0.1 a')
    writeFileSync(path, '10.0.0.2 a')
    utimesSync(path, 1, 1)
    expect(read()).toBe('10.0.0.1 a')
    now = 5_000
    expect(read()).toBe('10.0.0.2 a')
    now = 10_000
    expect(read()).toBe('10.0.0.2 a')
    expect(parsed).toBe(2)
    rmSync(path)
    now = 15_000
    expect(read()).toBe('')
    expect(watchedFile(join(path, 'none'), () => now)((text) => text.length)).toBe(0)
  })
})
