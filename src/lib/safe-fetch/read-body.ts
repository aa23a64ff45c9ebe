// Limits a response body, for the egress guard: it is decoded as it arrives and truncated at a number of decoded
// bytes, so neither an endless body nor a compression bomb takes up memory.

import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { createJsonMeter, type Excess, type JsonMeterLimits } from '../json-meter.ts'
import { type Refusal, refuse } from './outcome.ts'

export interface BodyRules {
  /** The response's content-encoding header. */
  encoding: string | undefined
  /** Decoded bytes to keep at most. */
  maxBytes: number
  /** Whether a body that is too large, or cannot be decoded, fails or is truncated there. */
  overflow: 'fail' | 'truncate'
  /**
   * The limits of the body as JSON; a body that exceeds them fails or is truncated in the same way. Default: no
   * limit.
   */
  json?: JsonMeterLimits | undefined
}

/** How the reader slows down the socket, and how it reports its result, once. */
export interface BodySource {
  pause(): void
  resume(): void
  settle(outcome: BodyOutcome): void
}

export type BodyOutcome = { ok: true; body: Buffer; truncated: boolean } | Refusal

export interface BodyReader {
  write(chunk: Buffer): void
  /** The whole body has arrived; the outcome may follow later, when the rest is decoded. */
  end(): void
  /** Discards what was read; nothing is reported any more. */
  discard(): void
}

export function readBody(rules: BodyRules, source: BodySource): BodyReader {
  const encoding = rules.encoding?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return readPlain(rules, source)
  const create = DECODERS.get(encoding)
  return create === undefined ? readUndecodable(rules, source) : readEncoded(create, rules, source)
}

type CreateDecoder = (firstByte: number) => Transform

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  // Some servers send raw deflate data; the zlib header of RFC 9110 §8.4.1.2 names method 8.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
])

/** The maximum overhead of an encoding for incompressible data; more is an attempt to keep us reading. */
const ENCODING_SLACK_BYTES = 65_536

function readPlain(rules: BodyRules, source: BodySource): BodyReader {
  const kept = keep(rules, source)
  return { write: kept.add, end: kept.finish, discard: kept.discard }
}

function readEncoded(create: CreateDecoder, rules: BodyRules, source: BodySource): BodyReader {
  let decoder: Transform | null = null
  let wireBytes = 0
  const kept = keep(rules, {
    ...source,
    settle(outcome) {
      decoder?.destroy()
      source.settle(outcome)
    },
  })

  const start = (firstByte: number) => {
    const started = create(firstByte)
    started.on('data', kept.add)
    started.on('end', kept.finish)
    started.on('error', () => kept.fail(undecodable()))
    started.on('drain', source.resume)
    return started
  }

  return {
    write(chunk) {
      wireBytes += chunk.byteLength
      if (kept.isSettled() || chunk.byteLength === 0) return
      if (wireBytes > rules.maxBytes + ENCODING_SLACK_BYTES) return kept.overflow()
      decoder ??= start(chunk[0] ?? 0)
      if (!decoder.write(chunk)) source.pause()
    },
    end() {
      if (decoder === null) kept.finish()
      else if (!kept.isSettled()) decoder.end()
    },
    discard() {
      kept.discard()
      decoder?.destroy()
    },
  }
}

function readUndecodable(rules: BodyRules, source: BodySource): BodyReader {
  const kept = keep(rules, source)
  return {
    write: () => kept.fail(undecodable()),
    end: kept.finish,
    discard: kept.discard,
  }
}

function beyond(excess: Excess, { maxDepth, maxValues }: JsonMeterLimits): string {
  return excess === 'too_deep'
    ? `the body is nested deeper than ${maxDepth} levels`
    : `the body holds more than ${maxValues} values`
}

function undecodable(): Refusal {
  return refuse('decode_failed', 'the body is not one valid layer of gzip, deflate or br')
}

/** Collects decoded chunks up to the limit and settles exactly once. */
function keep(rules: BodyRules, source: BodySource) {
  const chunks: Buffer[] = []
  const meter = rules.json && createJsonMeter(rules.json)
  let size = 0
  let isSettled = false

  const settle = (outcome: BodyOutcome) => {
    if (isSettled) return
    isSettled = true
    source.settle(outcome)
  }
  /** A caller that accepts a partial body mainly needs the status, so the bytes read so far are enough. */
  const fail = (refusal: Refusal) => {
    if (rules.overflow === 'fail') return settle(refusal)
    settle({ ok: true, body: Buffer.concat(chunks), truncated: true })
  }
  const overflow = () => {
    fail(refuse('too_large', `the body is larger than ${rules.maxBytes} bytes`))
  }

  return {
    isSettled: () => isSettled,
    add(chunk: Buffer) {
      if (isSettled) return
      const room = rules.maxBytes - size
      size += chunk.byteLength
      chunks.push(chunk.byteLength > room ? chunk.subarray(0, room) : chunk)
      if (chunk.byteLength > room) return overflow()
      const excess = meter?.feed(chunk)
      if (excess) fail(refuse('too_large', beyond(excess, rules.json as JsonMeterLimits)))
    },
    finish: () => settle({ ok: true, body: Buffer.concat(chunks), truncated: false }),
    fail,
    overflow,
    discard() {
      isSettled = true
    },
  }
}
