// Bodies that something on the way, or a careless sender, has made different from what was signed, and
// requests that a receiver must refuse early (spec 4.4, 5, 7.3, 8). What is taken is kept byte for byte.

import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import { eventually } from '../support/eventually.ts'
import { createPlace, type Place } from '../support/faults/place.ts'
import { startReceive } from '../support/faults/receiver-process.ts'
import { type RawAnswer, sendRaw } from '../support/faults/receiver-raw.ts'
import { envelope, type Sender, startSender } from '../support/faults/receiver-sender.ts'

const MIB = 1_048_576
const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(['sqlite', 'postgres'] as const)('a receiver on %s', (store) => {
  test('spec 5, 8: takes the exact bytes that were signed, however they are framed', async () => {
    const { place, url, sender } = await receiving(store)
    const odd = Buffer.from(
      ` {"idempotency_key":"an-odd-body-0123456789",\r\n\t"task_id" : "caf\\u00e9 café \\ud83d\\ude80",
      "task_type":"activate_signal","status":"working","timestamp":"2026-01-01T00:00:00+02:00",
      "result":{"spend":1.0,"big":12345678901234567890,"e":1E+2,"\\u0061":[],"z":null}}\n`,
    )
    const bodies: Record<string, Buffer> = {
      'odd, at once': odd,
      'odd, byte by byte': Buffer.from(odd.toString().replace('an-odd', 'slow--')),
      'odd, in chunks': Buffer.from(odd.toString().replace('an-odd', 'chunky')),
      'one byte less than 1 MiB': ofSize(MIB - 1),
      '1 MiB': ofSize(MIB),
      '1 MiB, in chunks': ofSize(MIB),
    }
    const verdicts: Record<string, string> = {}
    for (const [what, body] of Object.entries(bodies)) {
      const { headers } = await sender.sign(body)
      const framed = what.endsWith('in chunks')
        ? { headers: { ...headers, 'transfer-encoding': 'chunked' }, parts: chunksOf(body) }
        : {
            headers: { ...headers, 'content-length': `${body.length}` },
            parts: partsOf(what, body),
          }
      verdicts[what] = returned(await sendRaw(url, framed))
    }
    expect(verdicts).toEqual(Object.fromEntries(Object.keys(bodies).map((what) => [what, '200'])))
    const kept = await eventually(async () => {
      const { waiting } = await createInboxStore(place.database()).stats()
      expect(waiting).toEqual({ pending: 0, leased: 0, dead: 0 })
      return bodiesIn(place)
    })
    expect(kept).toEqual(Object.values(bodies).map((body) => body.toString('base64')))
  })
})

test('spec 5: refuses what is not the bytes that were signed, or has two readings', async () => {
  const { place, url, sender } = await receiving('sqlite')
  const good = Buffer.from(JSON.stringify(envelope({ result: { a: 1 } })))
  const text = good.toString()
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(text), null, 2))
  const bodies: Record<string, Buffer> = {
    'byte order mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]),
    'no UTF-8': Buffer.concat([good.subarray(0, -2), Buffer.from([0xff, 0x7d, 0x7d])]),
    'UTF-16': Buffer.from(text, 'utf16le'),
    'key twice': Buffer.from(text.replace('{"a":1}', '{"a":1,"a":2}')),
    'key twice, escaped': Buffer.from(text.replace('{"a":1}', '{"a":1,"\\u0061":2}')),
    'two values': Buffer.concat([good, good]),
    'compressed, unsaid': gzipSync(good),
    nothing: Buffer.alloc(0),
  }
  const verdicts: Record<string, string> = {}
  const send = async (what: string, body: Buffer, headers: Record<string, string>) => {
    const length = { 'content-length': `${body.length}` }
    verdicts[what] = returned(
      await sendRaw(url, { headers: { ...headers, ...length }, parts: [body] }),
    )
  }
  for (const [what, body] of Object.entries(bodies)) {
    await send(what, body, (await sender.sign(body)).headers)
  }
  const { headers } = await sender.sign(good)
  await send('written anew', rewritten, headers)
  await send('one byte more', Buffer.concat([good, Buffer.from(' ')]), headers)
  await send('compressed', gzipSync(good), { ...headers, 'content-encoding': 'gzip' })
  const malformed = '401 webhook_body_malformed'
  expect(verdicts).toEqual({
    ...Object.fromEntries(Object.keys(bodies).map((what) => [what, malformed])),
    'written anew': '401 webhook_signature_digest_mismatch',
    'one byte more': '401 webhook_signature_digest_mismatch',
    compressed: '415 unsupported_content',
  })
  expect(await bodiesIn(place)).toEqual([])
  // The nonce of what was refused is not used up: it was someone else who had changed the body.
  await send('as signed', good, headers)
  expect(verdicts['as signed']).toBe('200')
})

test('spec 4.4, 7.3: refuses early, the size before the type before the signature', async () => {
  const { place, url, sender } = await receiving('sqlite')
  const body = Buffer.from(JSON.stringify(envelope()))
  const length = { 'content-length': `${body.length}` }
  const announced = { 'content-length': `${MIB + 1}` }
  const plain = { 'content-type': 'text/plain' }
  const large = ofSize(MIB + 1)
  const { headers: largeSigned } = await sender.sign(large)

  const unsigned = await sendRaw(url, { headers: { ...JSON_TYPE, ...length }, parts: [body] })
  expect(returned(unsigned)).toBe('401 webhook_signature_header_malformed')
  expect(unsigned.headers['www-authenticate']).toBe(
    'Signature error="webhook_signature_header_malformed"',
  )
  const typed = await sendRaw(url, { headers: { ...plain, ...length }, parts: [body] })
  expect(returned(typed)).toBe('415 unsupported_content')
  // Of what is announced only a little ever comes: the answer is there all the same.
  for (const headers of [
    { ...plain, ...announced },
    { ...largeSigned, ...announced },
  ]) {
    const early = await sendRaw(url, { headers, parts: [large.subarray(0, 100)] })
    expect([returned(early), early.isEnded]).toEqual(['413 payload_too_large', true])
  }
  // Nothing is announced, and it never ends.
  const endless = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
  const flood = Array<Buffer>(160).fill(chunkOf(Buffer.alloc(65_536, 0x20)))
  const cut = await sendRaw(url, { headers: endless, parts: flood })
  expect([returned(cut), cut.isEnded]).toEqual(['413 payload_too_large', true])
  expect(cut.written).toBeLessThan(flood.length)
  // Two lengths: the next server might go by the other one.
  const both = { ...JSON_TYPE, ...length, 'transfer-encoding': 'chunked' }
  const smuggled = await sendRaw(url, { headers: both, parts: chunksOf(body) })
  expect([smuggled.status, smuggled.isEnded]).toEqual([400, true])
  expect(await bodiesIn(place)).toEqual([])
})

async function receiving(store: Place['store']) {
  const place = await createPlace(store)
  onTestFinished(place.drop)
  const sender: Sender = await startSender()
  const { url } = await startReceive(place, ['--trust', sender.agentUrl])
  return { place, url, sender }
}

const returned = ({ status, code }: RawAnswer): string => [status, code].join(' ').trim()

/** What is kept, in the order it came. */
async function bodiesIn(place: Place): Promise<string[]> {
  const rows = await place
    .database()
    .read.all<{ body: Uint8Array }>('SELECT body FROM webhook_inbox ORDER BY message_id')
  return rows.map(({ body }) => Buffer.from(body).toString('base64'))
}

function ofSize(bytes: number): Buffer {
  const short = JSON.stringify(envelope({ message: '' }))
  return Buffer.from(
    short.replace('"message":""', `"message":"${'x'.repeat(bytes - short.length)}"`),
  )
}

function partsOf(what: string, body: Buffer): Buffer[] {
  return what.endsWith('byte by byte') ? Array.from(body, (byte) => Buffer.from([byte])) : [body]
}

/** Of sizes that cut through characters and lines, with what RFC 9112 §7.1 lets a sender add. */
function chunksOf(body: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0, size = 1; at < body.length; at += size, size = Math.min(size * 3, 60_000)) {
    parts.push(chunkOf(body.subarray(at, at + size)))
    if (at + size >= body.length) break
  }
  return [...parts, Buffer.from('0\r\nx-trailer: 1\r\n\r\n')]
}

function chunkOf(bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.byteLength.toString(16)};ext=1\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}
