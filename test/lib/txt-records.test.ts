import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTxtResolver } from '../../src/lib/txt-records.ts'

/** A name server on loopback that knows a few names, and is silent about others. */
let socket: Socket
let server: string
const records = new Map<string, string[][]>()

beforeAll(async () => {
  socket = createSocket('udp4', (query, from) => {
    const name = nameIn(query)
    if (name.startsWith('silent')) return
    socket.send(answerTo(query, records.get(name)), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server = `127.0.0.1:${(socket.address() as AddressInfo).port}`
})
afterAll(() => socket.close())

function nameIn(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; query[at] !== 0; at += 1 + (query[at] as number)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] as number)))
  }
  return labels.join('.').toLowerCase()
}

/** RFC 1035: the question again, and its TXT records; without a list, "no such name". */
function answerTo(query: Buffer, found: readonly string[][] | undefined): Buffer {
  const end = query.indexOf(0, 12) + 5
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(found ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(found?.length ?? 0, 6)
  head.writeUInt32BE(0, 8)
  const answers = (found ?? []).map((parts) => {
    const data = Buffer.concat(
      parts.map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
    )
    const fixed = Buffer.from([
      0xc0,
      12,
      0,
      16,
      0,
      1,
      0,
      0,
      0,
      60,
      data.length >> 8,
      data.length & 255,
    ])
    return Buffer.concat([fixed, data])
  })
  return Buffer.concat([head, query.subarray(12, end), ...answers])
}

const resolver = (timeoutMs = 2_000) => createTxtResolver({ timeoutMs, servers: [server] })

test('records are answered, the parts of each joined', async () => {
  records.set('_x.acme.example', [['v=spf1'], ['first ', 'second']])
  expect(await resolver()('_x.acme.example')).toEqual({
    ok: true,
    records: ['v=spf1', 'first second'],
  })
})

test('a name without records, or without being, has none', async () => {
  records.set('empty.example', [])
  expect(await resolver()('empty.example')).toEqual({ ok: true, records: [] })
  expect(await resolver()('nobody.example')).toEqual({ ok: true, records: [] })
})

test('of many and long records only the first are looked at', async () => {
  records.set(
    'many.example',
    Array.from({ length: 20 }, (_, n) => [String(n)]),
  )
  records.set('long.example', [Array.from({ length: 5 }, () => 'x'.repeat(250))])
  const many = await resolver()('many.example')
  expect(many.ok && many.records).toHaveLength(20)
  const long = await resolver()('long.example')
  expect(long.ok && long.records[0]).toHaveLength(1_024)
})

test('a query to a name server that does not answer times out', async () => {
  expect(await resolver(50)('silent.example')).toMatchObject({ ok: false })
})

test('a caller that goes away ends the question', async () => {
  const gone = new AbortController()
  const asking = resolver(60_000)('silent.example', gone.signal)
  gone.abort()
  expect(await asking).toMatchObject({ ok: false })
  expect(await resolver()('silent.example', gone.signal)).toMatchObject({ ok: false })
})
