// Authentic deliveries that cannot be used (spec 4.4, 7.3): bodies without the required envelope fields, other
// content types, too many bytes, other methods. Also checks the format of the answers.

import type { Check } from '../check.ts'
import { quotedValue, skipped, verdictOf } from '../check.ts'
import type { Body, ReceiverContext } from './context.ts'
import { ACCEPTS_VALID, type Delivered } from './rows.ts'

const BAD_BODY = [400, 401, 422] as const

export const SHAPES: readonly Delivered[] = [
  envelope('refuses-no-key', 'a webhook without idempotency_key is refused', {
    idempotency_key: undefined,
  }),
  envelope('refuses-short-key', 'an idempotency_key that is none is refused', {
    idempotency_key: 'short',
  }),
  envelope('refuses-no-task', 'a webhook without task_id is refused', { task_id: undefined }),
  envelope('refuses-status', 'a status that there is not is refused', { status: 'finished-ish' }),
  envelope('refuses-no-time', 'a webhook without timestamp is refused', { timestamp: undefined }),
  {
    ...shape('refuses-no-json', 'a body that is no JSON is refused', BAD_BODY),
    send: ({ deliver }) => deliver(Buffer.from('{"status": "completed", no JSON')),
  },
  {
    ...shape(
      'refuses-repeated-member',
      'an object with the same member twice is refused',
      BAD_BODY,
    ),
    why: 'two readers of such a body see different things, and one of them is the one that verified it',
    fix: 'parse strictly, after the signature and before the body is used',
    send: async ({ deliver, envelope: make, scheme }) => {
      // The doctor's legacy signer refuses to sign it.
      if (scheme.mode === 'HMAC-SHA256') return 'the legacy scheme does not sign such a body'
      const text = JSON.stringify(make())
      return deliver(Buffer.from(`${text.slice(0, -1)},"status":"failed"}`))
    },
  },
  {
    ...shape('refuses-type', 'a content type other than application/json is refused', [415, 400]),
    why: 'a form or a text that passes for JSON is a way past other checks',
    fix: 'answer 415 before the signature is looked at',
    send: ({ deliver, envelope: make }) => {
      const contentType = 'text/plain'
      return deliver(make(), { craft: { contentType }, headers: { 'content-type': contentType } })
    },
  },
  {
    ...shape('refuses-too-large', 'a body of two megabytes is refused with 413', [413]),
    why: 'anybody who knows the address could fill the memory of the receiver',
    fix: 'stop reading at 1 MB and answer 413, before anything is verified',
    send: ({ deliver, envelope: make }) =>
      deliver(make({ result: { filler: 'x'.repeat(2_000_000) } })),
  },
  {
    ...shape('refuses-get', 'a GET is answered 405', [405]),
    why: 'link checkers and crawlers must neither trigger anything nor see a server error',
    fix: 'take POST alone, and answer 405 with Allow: POST',
    send: ({ ask }) => ask('GET'),
  },
]

/** These run last, because they look at all answers so far. */
export const SPOKEN: readonly Check<ReceiverContext>[] = [
  {
    id: 'challenge',
    group: 'answers',
    writes: false,
    needs: [ACCEPTS_VALID],
    title: 'a 401 has the reason in WWW-Authenticate: Signature error=<code>',
    why: 'a sender whose clock or key is wrong cannot find out which',
    fix: 'answer 401 with WWW-Authenticate: Signature error="webhook_signature_…"',
    run: async ({ received, scheme }) => {
      if (scheme.mode !== 'rfc9421') return skipped(`it is about deliveries that are signed`)
      const refused = received.filter(({ status }) => status === 401)
      if (refused.length === 0) return skipped('nothing was answered 401')
      const bare = refused.find(({ headers }) => !isChallenge(headers['www-authenticate']))
      return verdictOf(
        bare ? [`a 401 came with ${quotedValue(bare.headers['www-authenticate'])}`] : [],
      )
    },
  },
  {
    id: 'answer-leak',
    group: 'answers',
    writes: false,
    title: 'no response reveals stack traces, paths, keys or signature bases',
    why: 'a forger learns how close the forgery was, and what the receiver runs on',
    fix: 'answer with a code, and keep the detail in the log',
    run: async ({ received, scheme }) => {
      const secrets =
        scheme.mode === 'HMAC-SHA256'
          ? [scheme.secret]
          : scheme.mode === 'Bearer'
            ? [scheme.token]
            : []
      const found = received.flatMap(({ status, text }) => [
        ...LEAKS.filter((mark) => text.includes(mark)).map(
          (mark) => `a ${status} has "${quotedValue(mark.trim())}"`,
        ),
        ...(secrets.some((secret) => text.includes(secret))
          ? [`a ${status} has the registered secret`]
          : []),
      ])
      return verdictOf([...new Set(found)].slice(0, 5))
    },
  },
  {
    id: 'no-server-error',
    group: 'answers',
    writes: false,
    title: 'nothing that was sent made the receiver answer 500',
    why: 'a sender retries a 5xx for a day, and each time somebody is woken',
    fix: 'answer 4xx to what the sender did wrong, and 503 only while nothing can be stored',
    run: async ({ received }) => {
      const broken = received.filter(({ status }) => status >= 500 && status !== 503)
      return verdictOf(
        broken.length > 0
          ? [`${broken.length} of ${received.length} were answered ${broken[0]?.status}`]
          : [],
      )
    },
  },
]

const LEAKS = [
  '\\n    at ',
  '\n    at ',
  'node_modules',
  'Traceback (most recent call last)',
  '@signature-params',
  'SQLSTATE',
  'SQLITE_',
]

function isChallenge(header: string | undefined): boolean {
  return header !== undefined && /^Signature error="?webhook_[a-z_]{1,60}"?$/.test(header)
}

function shape(id: string, title: string, right: readonly number[]): Omit<Delivered, 'send'> {
  return {
    id,
    title,
    right,
    group: 'shapes',
    why: 'what is acknowledged and cannot be used is lost without a word',
    fix: 'check the envelope before the 2xx, and answer 400 with what is missing',
  }
}

function envelope(id: string, title: string, changes: Body): Delivered {
  return {
    ...shape(id, title, BAD_BODY),
    send: ({ deliver, envelope: make }) => deliver(make(changes)),
  }
}
