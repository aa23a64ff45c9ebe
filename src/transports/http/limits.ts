// What a request may cost before and after its task is known: bodies, rates, connections, answers.

import { defineLimits } from '../../lib/limit.ts'

const KIB = 1_024
const MIB = 1_024 * KIB

export const HTTP_LIMITS = defineLimits({
  bodyBytes: {
    what: 'body of a request with a key; creative tasks have 10 MiB',
    value: MIB,
    unit: 'bytes',
    setting: 'ADWIRE_BODY_LIMIT_BYTES',
    beyond: '413, by the bytes that were received; the rest is not read',
  },
  keylessBodyBytes: {
    what: 'body of a request without a key, unless its task has its own limit',
    value: 64 * KIB,
    unit: 'bytes',
    setting: 'ADWIRE_KEYLESS_BODY_BYTES',
    beyond: '413, by the bytes that were received; the rest is not read',
  },
  /**
   * Measured over the request schemas of all tasks, each with the most expensive bodies possible for this number of
   * values (840 of them: lists and maps of elements that are wrong, or empty). JSON.parse, zod and the error messages
   * together took 100 to 220 ms of CPU for the worst, on one of two cores with a load of 7; a valid body takes a
   * tenth of that. The time grows linearly with the number of values.
   */
  bodyValues: {
    what: 'values and names of members in a body',
    value: 20_000,
    unit: '',
    beyond: '400, while the body is read; the rest is not read',
  },
  heldBytes: {
    what: 'bodies of unanswered requests, of all callers of an instance',
    value: 256 * MIB,
    unit: 'bytes',
    beyond: '503 with `Retry-After`',
  },
  heldBytesOfOne: {
    what: 'bodies of unanswered requests, of one principal or address',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: '429 with `Retry-After`',
  },
  requestsPerMinute: {
    what: 'requests of one address to everything that is no task call',
    value: 6_000,
    unit: 'a minute',
    setting: 'ADWIRE_REQUESTS_PER_MINUTE',
    beyond: '429 with `Retry-After`',
  },
  lookupsPerMinute: {
    what: 'lookups of one address',
    value: 1_200_000,
    unit: 'a minute',
    setting: 'ADWIRE_LOOKUPS_PER_MINUTE',
    beyond: '429 with `Retry-After`',
  },
  connections: {
    what: 'connections to an instance',
    value: 10_000,
    unit: '',
    setting: 'ADWIRE_MAX_CONNECTIONS',
    beyond: 'the connection is closed at once',
  },
  headersMs: {
    what: 'time for the headers of a request',
    value: 10_000,
    unit: 'ms',
    beyond: '408, and the connection is closed',
  },
  requestMs: {
    what: 'time for a whole request',
    value: 30_000,
    unit: 'ms',
    beyond: '408, and the connection is closed',
  },
  answerSeconds: {
    what: 'time that a client may take to read what it was sent',
    value: 60,
    unit: 'seconds',
    setting: 'ADWIRE_ANSWER_TIMEOUT_SECONDS',
    beyond: 'the connection is closed',
  },
  unreadBytes: {
    what: 'sent bytes that a client has not read',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: 'the connection is closed',
  },
  answerBytesOfOneKeyless: {
    what: 'answers to one address without a key, from before the work until they are read',
    value: 32 * MIB,
    unit: 'bytes',
    beyond: '429 with `Retry-After`, before the work',
  },
  answerBytesOfKeyless: {
    what: 'answers to all callers without a key, from before the work until they are read',
    value: 128 * MIB,
    unit: 'bytes',
    beyond:
      'connections without a key that have not read for 2 seconds are closed; else 503 with `Retry-After`',
  },
  answerBytesOfOne: {
    what: 'answers to one principal, from before the work until they are read',
    value: 64 * MIB,
    unit: 'bytes',
    beyond: '429 with `Retry-After`, before the work',
  },
  answerBytesOfAll: {
    what: 'answers to all callers of an instance, from before the work until they are read',
    value: 256 * MIB,
    unit: 'bytes',
    beyond: 'connections that have not read for 2 seconds are closed; else 503 with `Retry-After`',
  },
  answerReserveBytes: {
    what: 'reserved for the answer to a request whose size is not known yet; heavy calls reserve what they are estimated at',
    value: 64 * KIB,
    unit: 'bytes',
    beyond: 'what the answer takes beyond it is reserved when it is known',
  },
  pipelinedRequests: {
    what: 'requests of one connection that wait for the answer before them',
    value: 256,
    unit: '',
    beyond: 'the connection is closed',
  },
  batchMessages: {
    what: 'messages in one MCP batch; each takes a call of the rate',
    value: 50,
    unit: '',
    beyond: '400',
  },
  keylessBatchMessages: {
    what: 'messages in one MCP batch without a key',
    value: 10,
    unit: '',
    beyond: '400',
  },
  batchAnswerBytes: {
    what: 'answers to one MCP batch, before its last one',
    value: 8 * MIB,
    unit: 'bytes',
    beyond: 'the remaining messages are not processed and return an error',
  },
  keylessBatchAnswerBytes: {
    what: 'answers to one MCP batch without a key, before its last one',
    value: MIB,
    unit: 'bytes',
    beyond: 'the remaining messages are not processed and return an error',
  },
})
