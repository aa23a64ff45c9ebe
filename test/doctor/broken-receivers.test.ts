import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Credential, examineReceiver } from '../../src/doctor/examine-receiver.ts'
import type { Report } from '../../src/doctor/report.ts'
import { type Answered, jsonAnswer, type Requested } from '../support/broken-agents.ts'
import {
  BEARER,
  type BrokenReceiver,
  type ReceiverFault,
  SECRET,
  startBrokenReceiver,
  TOKEN,
} from '../support/broken-receivers.ts'

let receiver: BrokenReceiver
beforeAll(async () => {
  receiver = await startBrokenReceiver()
})
afterAll(() => receiver?.stop())

function examine(route: string, credential: Credential, token?: string): Promise<Report> {
  return examineReceiver({
    url: `${receiver.url}/${route}`,
    protocolName: 'proto',
    credential,
    token,
  })
}

const served = (): Credential => {
  const { pairs, keysPort: port } = receiver
  return { kind: 'served-keys', pairs, host: '127.0.0.1', port }
}

const OK = { status: 'accepted' }
const accept = (answered: Answered) => void Object.assign(answered, jsonAnswer(200, OK))

/** Takes what was refused with this code, when the request is also like this. */
const takes = (
  code: string,
  isMeant: (requested: Requested) => boolean = () => true,
): ReceiverFault => ({
  answer: (answered, requested, given) => {
    if (given === `webhook_signature_${code}` && isMeant(requested)) accept(answered)
  },
})

const input = ({ headers }: Requested) => String(headers['signature-input'] ?? '')
const parameter = (requested: Requested, name: string) =>
  Number(new RegExp(`;${name}=(\\d+)`).exec(input(requested))?.[1])
const isWindow = (requested: Requested) =>
  parameter(requested, 'expires') - parameter(requested, 'created')
const nowS = () => Date.now() / 1_000

const CHALLENGE = { 'www-authenticate': 'Signature error="webhook_signature_invalid"' }
const isDuplicate = ({ body }: Answered) => body.toString().includes('"duplicate"')
const answers = (
  isMeant: (requested: Requested, answered: Answered) => boolean,
  status: number,
  body: unknown = { error: {} },
): ReceiverFault => ({
  answer: (answered, requested) => {
    if (isMeant(requested, answered)) Object.assign(answered, jsonAnswer(status, body, CHALLENGE))
  },
})

const seen = new Set<unknown>()

/** What the fault is, the check that finds it, and the fault. */
const FAULTS: [string, string, ReceiverFault][] = [
  [
    'takes nothing',
    'accepts-valid',
    {
      ask: () =>
        jsonAnswer(
          401,
          {},
          { 'www-authenticate': 'Signature error="webhook_signature_key_unknown"' },
        ),
    },
  ],
  [
    'takes unsigned webhooks',
    'refuses-unsigned',
    takes(
      'header_malformed',
      ({ headers }) =>
        headers.signature === undefined &&
        headers.authorization === undefined &&
        headers['x-proto-signature'] === undefined,
    ),
  ],
  [
    'takes a signature without its input',
    'refuses-no-input',
    takes(
      'header_malformed',
      (requested) => input(requested) === '' && requested.headers.signature !== undefined,
    ),
  ],
  ['takes forged signatures', 'refuses-forged', takes('invalid')],
  ['does not look at the tag', 'refuses-tag', takes('tag_invalid')],
  [
    'takes expired signatures',
    'refuses-expired',
    takes(
      'window_invalid',
      (requested) => parameter(requested, 'expires') < nowS() && isWindow(requested) === 300,
    ),
  ],
  [
    'takes signatures from the future',
    'refuses-future',
    takes('window_invalid', (requested) => parameter(requested, 'created') > nowS() + 600),
  ],
  [
    'takes signatures that are valid for an hour',
    'refuses-long-window',
    takes('window_invalid', (requested) => isWindow(requested) > 300),
  ],
  ['takes signatures without a nonce', 'refuses-no-nonce', takes('params_incomplete')],
  [
    'takes short nonces',
    'refuses-short-nonce',
    takes('header_malformed', (requested) => input(requested).includes('AAAAAAAA')),
  ],
  ['takes any algorithm', 'refuses-algorithm', takes('alg_not_allowed')],
  [
    'takes signatures that do not cover the digest',
    'refuses-uncovered-digest',
    takes('components_incomplete', (requested) => !input(requested).includes('content-digest')),
  ],
  [
    'takes mixed alphabets',
    'refuses-mixed-base64',
    takes('header_malformed', ({ headers }) => String(headers.signature).includes(':-_')),
  ],
  ['takes keys that nobody published', 'refuses-unknown-key', takes('key_unknown')],
  ['takes keys of another purpose', 'refuses-other-purpose', takes('key_purpose_invalid')],
  ['takes revoked keys', 'refuses-revoked-key', takes('key_revoked')],
  [
    'takes bodies that do not fit their digest',
    'refuses-digest',
    takes('digest_mismatch', ({ body }) => !body.includes('\n')),
  ],
  [
    'verifies what it parsed',
    'refuses-reserialised',
    takes('digest_mismatch', ({ body }) => body.includes('\n')),
  ],
  ['takes replayed webhooks', 'refuses-replayed', takes('replayed')],
  [
    'takes a bearer token for a signature',
    'refuses-bearer',
    { answer: (answered, { headers }) => void (headers.authorization && accept(answered)) },
  ],
  [
    'answers 409 to a duplicate',
    'duplicate',
    {
      answer: (answered, { json }) => {
        // Of the row about duplicates alone: three times the same, with nothing in it.
        if (isDuplicate(answered) && json?.result === undefined && seen.has(json?.idempotency_key))
          Object.assign(answered, jsonAnswer(409, {}))
        seen.add(json?.idempotency_key)
      },
    },
  ],
  ['answers 409 to what overlaps', 'duplicate-race', raceFault()],
  ['goes by the last body', 'duplicate-after-changed', lastBodyFault()],
  [
    'compares bodies byte for byte',
    'duplicate-reordered',
    answers(
      ({ json = {} }, answered) =>
        isDuplicate(answered) && Object.keys(json)[0] !== 'idempotency_key',
      409,
    ),
  ],
  [
    'answers before it has stored',
    'stored-before-answer',
    { answer: (answered) => void (isDuplicate(answered) && accept(answered)) },
  ],
  [
    'refuses members that it does not know',
    'accepts-unknown-members',
    answers(({ json }) => json?.something_new !== undefined, 400),
  ],
  ['refuses the A2A form', 'accepts-a2a-task', answers(({ json }) => json?.kind === 'task', 400)],
  [
    'refuses delivery reports',
    'accepts-report',
    answers(({ json }) => json?.task_type === 'media_buy_delivery', 422),
  ],
  [
    'refuses a charset',
    'accepts-charset',
    answers(({ headers }) => String(headers['content-type']).includes('charset'), 415),
  ],
  [
    'refuses large bodies',
    'accepts-large',
    answers(({ body }) => body.length > 500_000 && body.length < 1_000_000, 413),
  ],
  [
    'answers 409 to what is stale',
    'accepts-stale',
    answers(({ json }) => Date.parse(String(json?.timestamp)) < Date.now() - 30_000, 409),
  ],
  [
    'refuses ecdsa',
    'accepts-ecdsa',
    answers((requested) => input(requested).includes('ecdsa'), 401),
  ],
  [
    'refuses standard base64',
    'accepts-standard-base64',
    answers(
      ({ headers }) =>
        String(headers['content-digest']).endsWith('=:') &&
        String(headers.signature).endsWith('==:') &&
        !String(headers.signature).includes(':-_'),
      401,
    ),
  ],
  [
    'takes a webhook without its key',
    'refuses-no-key',
    answers(
      ({ json }) =>
        json !== undefined &&
        json.status === 'completed' &&
        !('idempotency_key' in json) &&
        'task_id' in json,
      200,
      OK,
    ),
  ],
  [
    'takes any status',
    'refuses-status',
    answers(({ json }) => json?.status === 'finished-ish', 200, OK),
  ],
  [
    'takes two members of one name',
    'refuses-repeated-member',
    answers(({ body }) => body.toString().endsWith(',"status":"failed"}'), 200, OK),
  ],
  [
    'takes text for JSON',
    'refuses-type',
    answers(({ headers }) => headers['content-type'] === 'text/plain', 200, OK),
  ],
  [
    'takes two megabytes',
    'refuses-too-large',
    answers(({ body }) => body.length > 1_500_000, 200, OK),
  ],
  ['answers GET', 'refuses-get', answers(({ method }) => method === 'GET', 200, {})],
  [
    'says nothing in its 401',
    'challenge',
    { answer: (answered) => void delete answered.headers['www-authenticate'] },
  ],
  [
    'tells its stack',
    'answer-leak',
    answers((_requested, { status }) => status === 415, 415, {
      error: 'boom\n    at run (/srv/app.js:1:1)',
    }),
  ],
]

/** The fourth of those that come at once; no other row sends one so often. */
function raceFault(): ReceiverFault {
  const came = new Map<unknown, number>()
  return {
    ask: ({ json }) => {
      const key = json?.idempotency_key
      if (key === undefined) return undefined
      const count = (came.get(key) ?? 0) + 1
      came.set(key, count)
      return count === 4 ? jsonAnswer(409, {}) : undefined
    },
  }
}

/** Refuses the first body of a key once it has had the second. */
function lastBodyFault(): ReceiverFault {
  const changed = new Set<unknown>()
  return {
    ask: ({ json }) => {
      const { n } = (json?.result ?? {}) as { n?: number }
      if (n === 2) changed.add(json?.idempotency_key)
      return n === 1 && changed.has(json?.idempotency_key) ? jsonAnswer(409, {}) : undefined
    },
  }
}

describe('adwire doctor --receiver finds nothing', () => {
  test('where another body is 409 and a copy of what is in work 503, as 3.2 has it', async () => {
    const strict = await startBrokenReceiver('sqlite', 'strict')
    onTestFinished(() => strict.stop())
    const { pairs, keysPort: port, url } = strict
    const { findings, checks } = await examineReceiver({
      url: `${url}/signed`,
      protocolName: 'proto',
      credential: { kind: 'served-keys', pairs, host: '127.0.0.1', port },
    })
    expect(findings).toEqual([])
    expect(checks.filter(({ state }) => state !== 'passed')).toEqual([])
  }, 60_000)

  test('where webhooks are signed, and tries everything', async () => {
    receiver.plant({})
    const { findings, checks, exit_code } = await examine('signed', served())
    expect(findings).toEqual([])
    expect(exit_code).toBe(0)
    expect(checks.length).toBeGreaterThan(50)
    expect(checks.filter(({ state }) => state !== 'passed')).toEqual([])
  })

  test.each([
    ['with-token', (): Credential => served(), TOKEN],
    ['hmac', (): Credential => ({ kind: 'hmac', secret: SECRET }), undefined],
    ['bearer', (): Credential => ({ kind: 'bearer', token: BEARER }), undefined],
  ])('at the route %s', async (route, credential, token) => {
    receiver.plant({})
    const { findings, checks } = await examine(route, credential(), token)
    expect(findings).toEqual([])
    expect(checks.filter(({ state }) => state === 'passed').length).toBeGreaterThan(30)
  })
})

describe('of a receiver with a fault', () => {
  test.each(FAULTS)(
    'one that %s is found by %s, and nothing else is',
    async (_what, check, fault) => {
      receiver.plant(fault)
      const { findings, exit_code } = await examine('signed', served())
      const found = [...new Set(findings.map((finding) => finding.check))]
      expect(found, JSON.stringify(findings)).toEqual([check])
      expect(exit_code).toBe(1)
    },
  )

  test.each([
    [
      'takes old timestamps',
      'hmac-old',
      ({ headers }: Requested) => Number(headers['x-proto-timestamp']) < nowS() - 300,
    ],
    [
      'takes timestamps that are no numbers',
      'hmac-timestamp-text',
      ({ headers }: Requested) => String(headers['x-proto-timestamp']).endsWith('Z'),
    ],
    [
      'takes unsigned webhooks',
      'hmac-unsigned',
      ({ headers }: Requested) =>
        headers['x-proto-timestamp'] === undefined &&
        headers['x-proto-signature'] === undefined &&
        headers.signature === undefined,
    ],
  ])('one that %s at a legacy route is found by %s', async (_what, check, isMeant) => {
    receiver.plant(
      answers((requested, { status }) => status === 401 && isMeant(requested), 200, OK),
    )
    const { findings } = await examine('hmac', { kind: 'hmac', secret: SECRET })
    expect(findings.map((finding) => finding.check)).toEqual([check])
  })
})
