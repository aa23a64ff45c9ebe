// How a body is read: as JSON, measured while it arrives. A body that is too large, too deep or has too many values
// is rejected midway, and the rest is never read. Nothing is parsed before it is known to be within its limits.

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createJsonMeter, type Excess } from '../../lib/json-meter.ts'
import { askForBody } from '../../lib/linger.ts'
import { MAX_NESTING } from '../../lib/nesting.ts'
import { createPacer } from '../../lib/pacer.ts'
import { describeKeys, duplicateKeys } from '../../lib/strict-json.ts'
import { createUsageQuota, type UsageQuota } from '../../lib/usage-quota.ts'
import { ForbiddenMember, type KeepingParser, keepingParser } from '../../lib/verbatim-json.ts'
import { HTTP_LIMITS } from './limits.ts'

/** Why a body was not read to its end. */
export class BodyFault extends Error {
  override readonly name = 'BodyFault'
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The body was read and is not acceptable JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

/** Transports wrap a request in their own messages, which do not count toward its nesting depth. */
const ENVELOPE_LEVELS = 10
export const JSON_LIMITS = {
  maxDepth: MAX_NESTING + ENVELOPE_LEVELS,
  maxValues: HTTP_LIMITS.bodyValues.value,
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parses the body when parts of it are returned verbatim. Default: everything is parsed the same way. */
    parseBody?: KeepingParser
  }
  interface FastifyInstance {
    /** Largest body of a request without a key, if its task has no own limit. */
    keylessBodyBytes: number
  }
  interface FastifyRequest {
    /** How many bytes of it may be read; 0 for the limit of its route. */
    bodyLimit: number
    /** How many bytes of its body were received. */
    bodyBytes: number
    /** Verifies the raw body before it is parsed; rejects if it is refused. Default: no check. */
    verifySignedBody: ((bytes: Uint8Array) => Promise<void>) | undefined
  }
}

export interface BodyOptions {
  /** Largest body of a request without any key. */
  keylessBodyBytes: number
}

export function readJsonBodies(app: FastifyInstance, { keylessBodyBytes }: BodyOptions): void {
  // Without a limit, slow uploads and slow calls would fill the memory with waiting bodies.
  const held = createUsageQuota({
    max: HTTP_LIMITS.heldBytes.value,
    maxOfOne: HTTP_LIMITS.heldBytesOfOne.value,
  })
  app.decorate('keylessBodyBytes', keylessBodyBytes)
  app.decorateRequest('bodyLimit', 0)
  app.decorateRequest('bodyBytes', 0)
  app.decorateRequest('judgeBody', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    refuseCharset(request.headers['content-type'])
    const { bytes, values } = await readBody(request, limitOf(request, keylessBodyBytes), held)
    request.bodyBytes = bytes.length
    if (request.verifySignedBody) await request.verifySignedBody(bytes)
    if (bytes.length === 0) throw new NotJson('the body is empty: send a JSON object')
    if (bytes.length > LARGE_BODY_BYTES) await createPacer().pause()
    return parsed(bytes, values, request.routeOptions.config.parseBody ?? parseAll)
  })
}

/** Larger bodies take milliseconds to parse and check, so they take turns when several arrive together. */
const LARGE_BODY_BYTES = 64 * 1_024

const parseAll = keepingParser([])

/** Values of `Content-Type`. US-ASCII is part of UTF-8. */
const CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii'])
const CHARSET = /;[ \t]*charset=[ \t]*"?([^";, \t]{0,64})/i

/** If text in another charset were read as UTF-8, the stored text would differ from the sent one. */
function refuseCharset(contentType: string | undefined): void {
  const charset = CHARSET.exec(contentType ?? '')?.[1]
  if (charset === undefined || CHARSETS.has(charset.toLowerCase())) return
  throw new NotJson(`the charset must be UTF-8 (got ${describeKeys([charset])})`)
}

/** `values`: the number of values in the text, including member names. */
function parsed(bytes: Buffer, values: number, parse: KeepingParser): unknown {
  if (!isUtf8(bytes)) throw new NotJson('the body is not valid UTF-8')
  try {
    const text = bytes.toString('utf8')
    const value = parse(text)
    const keys = duplicateKeys(text, value, values)
    if (keys.length > 0) throw new NotJson(duplicateFault('the body', keys))
    return value
  } catch (error) {
    if (error instanceof ForbiddenMember) throw new NotJson(error.message)
    if (error instanceof SyntaxError) throw new NotJson('the body is not valid JSON')
    throw error
  }
}

/** Of two parsers that read the same text, one would use the first member and the other the last. */
export function duplicateFault(of: string, keys: readonly string[]): string {
  return `an object of ${of} has a key twice: ${describeKeys(keys)}; send each key once`
}

function limitOf(request: FastifyRequest, keylessBodyBytes: number): number {
  if (request.bodyLimit > 0) return request.bodyLimit
  const ofRoute = request.routeOptions.bodyLimit
  return request.headers.authorization ? ofRoute : Math.min(ofRoute, keylessBodyBytes)
}

interface ReadBody {
  bytes: Buffer
  /** Number of values and member names in it. */
  values: number
}

/** Resolves with the whole body; rejects with a `BodyFault`, and then the rest is left unread. */
function readBody(request: FastifyRequest, limit: number, held: UsageQuota): Promise<ReadBody> {
  const { raw, account } = request
  const declared = Number(request.headers['content-length'] ?? Number.NaN)
  if (declared > limit) return Promise.reject(tooLarge(limit))
  const meter = createJsonMeter(JSON_LIMITS)
  const body = createGrowingBuffer()
  let holding = 0
  request.answer.once('close', () => {
    if (holding > 0) held.give(account, holding)
    holding = 0
  })

  return new Promise((resolve, reject) => {
    const stop = (fault?: BodyFault) => {
      raw.off('data', take).off('end', end).off('close', breakOff).off('error', breakOff)
      if (!fault) return resolve({ bytes: body.whole(), values: meter.values() })
      raw.pause()
      reject(fault)
    }
    const take = (chunk: Buffer) => {
      if (body.length() + chunk.length > limit) return stop(tooLarge(limit))
      const excess = meter.feed(chunk)
      if (excess) return stop(EXCESS_FAULTS[excess]())
      const outcome = held.take(account, chunk.length)
      if (outcome !== 'taken') return stop(HELD_FAULTS[outcome]())
      holding += chunk.length
      body.add(chunk)
    }
    const end = () => {
      const isWhole = Number.isNaN(declared) || declared === body.length()
      stop(
        isWhole
          ? undefined
          : new BodyFault(400, 'the length of the body does not match Content-Length'),
      )
    }
    const breakOff = () => stop(new BodyFault(400, 'the body is incomplete'))
    raw.on('data', take).on('end', end).on('close', breakOff).on('error', breakOff)
    askForBody(raw)
  })
}

function tooLarge(limit: number): BodyFault {
  return new BodyFault(413, `the body is too large: at most ${limit} bytes`)
}

const EXCESS_FAULTS: Readonly<Record<Excess, () => BodyFault>> = {
  too_deep: () =>
    new BodyFault(400, `the request must not be nested deeper than ${MAX_NESTING} levels`),
  too_many_values: () =>
    new BodyFault(
      400,
      `the body holds too many values: at most ${JSON_LIMITS.maxValues}; send it in several requests`,
    ),
}

const HELD_FAULTS: Readonly<Record<'all_full' | 'own_full', () => BodyFault>> = {
  own_full: () => new BodyFault(429, 'too many large requests at once: wait for the responses', 1),
  all_full: () => new BodyFault(503, 'the server has too many requests: retry in a moment', 1),
}

interface GrowingBuffer {
  add(chunk: Buffer): void
  length(): number
  /** What was added, in one piece. */
  whole(): Buffer
}

const FIRST_BYTES = 16_384

/** Copies into one piece, because a body in a million chunks would cost a million objects. */
function createGrowingBuffer(): GrowingBuffer {
  let buffer: Buffer | undefined
  let length = 0
  return {
    length: () => length,
    add: (chunk) => {
      // Most bodies arrive in one chunk, which then is the whole body.
      if (!buffer) buffer = chunk
      else {
        if (length + chunk.length > buffer.length) {
          const larger = Buffer.allocUnsafe(
            Math.max(FIRST_BYTES, buffer.length * 2, length + chunk.length),
          )
          buffer.copy(larger, 0, 0, length)
          buffer = larger
        }
        chunk.copy(buffer, length)
      }
      length += chunk.length
    },
    whole: () => (buffer ?? Buffer.alloc(0)).subarray(0, length),
  }
}
