// The faults that are planted in an agent, one at a time, and the one finding that each must lead to.

import { localSigner } from '../../src/signing/local-signer.ts'
import { createNonce } from '../../src/signing/nonces.ts'
import {
  type Answered,
  anEnvelope,
  everyObject,
  type Fault,
  type Json,
  jsonAnswer,
  NAMES,
  objectIn,
  type Reported,
  type Requested,
  rewrite,
  type Sending,
} from '../support/broken-agents.ts'
import { revocationList } from '../support/seller-site.ts'

export interface PlantedFault {
  what: string
  /** The check that finds it. */
  check: string
  fault: () => Fault
  /** Longest wait for webhooks, where the fault is that they do not come. */
  waitMs?: number
}

const at = (path: string, change: (answered: Answered, requested: Requested) => void): Fault => ({
  answer: (answered, requested) => {
    if (requested.path.split('?')[0] === path) change(answered, requested)
  },
})

/** Changes each task answer at a path. */
const answerOf = (task: string, change: (json: Json, answered: Answered) => void): Fault =>
  at(`/v3/${task}`, (answered) => rewrite(answered, (json) => change(json, answered)))

/** Changes capabilities wherever they stand, over every wire. */
const capabilities = (change: (json: Json) => void): Fault => ({
  answer: (answered, { path }) => {
    if (path.startsWith('/schemas') || path === '/openapi.json') return
    rewrite(answered, (json) => {
      everyObject(json, (one) => {
        if (Array.isArray(one.supported_protocols)) change(one)
      })
    })
  },
})

const report = (change: (reported: Reported) => Partial<Sending> | undefined): Fault => ({
  report: (reported) => [{ json: reported.json, ...change(reported) }],
})

const without = (json: Json, member: string): Json => {
  const { [member]: _, ...rest } = json
  return rest
}

const failsWith = (task: string, change: (json: Json, answered: Answered) => void): Fault =>
  answerOf(task, (json, answered) => {
    if (answered.status >= 400 && answered.status !== 401) change(json, answered)
  })

const CURSOR_OF_NOBODY = 'a-cursor-of-nobody'

const withoutCursor = (isMeant: (cursor: unknown) => boolean): Fault => ({
  ask: ({ json }) => {
    const pagination = json?.pagination as Json | undefined
    if (pagination?.cursor !== undefined && isMeant(pagination.cursor)) delete pagination.cursor
    return undefined
  },
})

const withKey = (isMeant: (requested: Requested) => boolean): Fault => ({
  ask: (requested, { key }) => {
    if (isMeant(requested)) requested.headers.authorization = `Bearer ${key}`
    return undefined
  },
})

/** Repeated requests, and different requests under the same key. */
function repeated(change: (answered: Answered, isSame: boolean) => Answered): () => Fault {
  return () => {
    const seen = new Map<string, { text: string; first: Answered }>()
    return {
      answer: (answered, { path, json }) => {
        if (path !== '/v3/simulate_task' || typeof json?.idempotency_key !== 'string') return
        const text = JSON.stringify(json)
        const before = seen.get(json.idempotency_key)
        if (!before) return void seen.set(json.idempotency_key, { text, first: { ...answered } })
        Object.assign(
          answered,
          change(before.text === text ? answered : before.first, before.text === text),
        )
      },
    }
  }
}

export const WIRE_FAULTS: readonly PlantedFault[] = [
  {
    what: 'an agent card that points elsewhere',
    check: 'agent-card',
    fault: () =>
      at('/.well-known/agent-card.json', (answered) =>
        rewrite(answered, (json) =>
          everyObject(json, (one) => {
            if (typeof one.url === 'string') one.url = 'https://elsewhere.example/a2a'
          }),
        ),
      ),
  },
  {
    what: 'an agent card for an A2A endpoint that is not there',
    check: 'transport-a2a',
    fault: () => ({ ask: ({ path }) => (path === '/a2a' ? jsonAnswer(404, {}) : undefined) }),
  },
  {
    what: 'a brand.json that names an MCP endpoint which breaks',
    check: 'transport-mcp',
    fault: () => ({ ask: ({ path }) => (path === '/mcp' ? jsonAnswer(500, {}) : undefined) }),
  },
  {
    what: 'an HTTP transport that lacks a task of the others',
    check: 'transports-tasks',
    fault: () =>
      at('/openapi.json', (answered) =>
        rewrite(answered, ({ paths }) => void delete (paths as Json)['/v3/get_products']),
      ),
  },
  {
    what: 'transports that answer differently',
    check: 'transports-answers',
    fault: () =>
      answerOf('get_agent_capabilities', (json) => Object.assign(json, { specialisms: ['x'] })),
  },
  {
    what: 'answers that lose the context',
    check: 'context-echo',
    fault: () => answerOf('get_agent_capabilities', (json) => void delete json.context),
  },
  {
    what: 'answers that change the context',
    check: 'context-echo',
    fault: () =>
      answerOf('get_agent_capabilities', (json) => Object.assign(json, { context: { doctor: 1 } })),
  },
  {
    what: 'capabilities without major_versions',
    check: 'capabilities-shape',
    fault: () => capabilities((json) => void delete (json[NAMES.name] as Json).major_versions),
  },
  {
    what: 'capabilities that claim a task which is not served',
    check: 'capabilities-tasks',
    fault: () => capabilities((json) => void (json.tasks as string[]).push('buy_everything')),
  },
  {
    what: 'an answer in another version than was asked for',
    check: 'version-echo',
    fault: () =>
      answerOf('get_agent_capabilities', (json) =>
        Object.assign(json, { [NAMES.versionMember]: '3.1' }),
      ),
  },
  {
    what: 'a version that is not served, answered all the same',
    check: 'version-unsupported',
    fault: () => ({
      ask: ({ json }) => {
        if (json?.[NAMES.versionMember] === '99.0') delete json[NAMES.versionMember]
        return undefined
      },
    }),
  },
  {
    what: 'a format without its name',
    check: 'answer-list_creative_formats',
    fault: () =>
      answerOf('list_creative_formats', ({ formats }) => {
        if (Array.isArray(formats)) delete (formats[0] as Json).name
      }),
  },
  {
    what: 'a signal without its id',
    check: 'answer-get_signals',
    fault: () =>
      answerOf('get_signals', ({ signals }) => {
        if (Array.isArray(signals)) delete (signals[0] as Json).signal_agent_segment_id
      }),
  },
  {
    what: 'a product without its id',
    check: 'answer-get_products',
    fault: () =>
      answerOf('get_products', ({ products }) => {
        if (Array.isArray(products)) delete (products[0] as Json).product_id
      }),
  },
  {
    what: 'a cursor that loops',
    check: 'pagination',
    fault: () => withoutCursor((cursor) => cursor !== CURSOR_OF_NOBODY),
  },
  {
    what: 'a false cursor that is taken',
    check: 'pagination-bad-cursor',
    fault: () => withoutCursor((cursor) => cursor === CURSOR_OF_NOBODY),
  },
  {
    what: 'a list of tools of 300 000 bytes',
    check: 'tools-size',
    fault: () =>
      at('/mcp', (answered) =>
        rewrite(answered, ({ result }) => {
          const tools = (result as Json | undefined)?.tools
          if (Array.isArray(tools)) (tools[0] as Json).description = 'x'.repeat(300_000)
        }),
      ),
  },
  {
    what: 'preview pages without a policy',
    check: 'preview-policy',
    fault: () => ({
      answer: (answered, { path }) => {
        if (path.startsWith('/previews/')) delete answered.headers['content-security-policy']
      },
    }),
  },
  {
    what: 'previews that never expire',
    check: 'preview-expiry',
    fault: () =>
      answerOf('preview_creative', (json) =>
        Object.assign(json, { expires_at: '9999-12-31T00:00:00Z' }),
      ),
  },
  {
    what: 'previews that do not say when they expire',
    check: 'preview-expiry',
    fault: () => answerOf('preview_creative', (json) => void delete json.expires_at),
  },
]

export const KEY_FAULTS: readonly PlantedFault[] = [
  {
    what: 'a brand.json without the agent',
    check: 'brand-json',
    fault: () =>
      at('/.well-known/brand.json', (answered) =>
        rewrite(answered, (json) =>
          Object.assign(json, { agents: [{ type: 'sales', id: 'x', url: 'https://x.example' }] }),
        ),
      ),
  },
  {
    what: 'a key set that is not there',
    check: 'key-set',
    fault: () => ({
      ask: ({ path }) => (path === '/.well-known/jwks.json' ? jsonAnswer(404, {}) : undefined),
    }),
  },
  {
    what: 'a key set without a key for webhooks',
    check: 'key-purpose',
    fault: () =>
      at('/.well-known/jwks.json', (answered) =>
        rewrite(answered, ({ keys }) => {
          for (const key of keys as Json[]) key[NAMES.keyUse] = 'response-signing'
        }),
      ),
  },
  {
    what: 'a key set with a private key in it',
    check: 'key-purpose',
    fault: () => ({
      answer: (answered, { path }, { pair }) => {
        if (path !== '/.well-known/jwks.json') return
        rewrite(answered, ({ keys }) => {
          for (const key of keys as Json[])
            if (key.kid === pair.publicJwk.kid) key.d = pair.privateJwk.d
        })
      },
    }),
  },
  {
    what: 'a list of revoked keys that has expired',
    check: 'revocation-list',
    fault: () => ({
      ask: async ({ path }, { pair, url: issuer }) => {
        if (path !== '/.well-known/governance-revocations.json') return undefined
        const [updated, next_update] = [Date.now() - 7_200_000, Date.now() - 3_600_000]
        return jsonAnswer(200, await revocationList(pair, { issuer, updated, next_update }))
      },
    }),
  },
  {
    what: 'a list of revoked keys that anybody could have written',
    check: 'revocation-list',
    fault: () => ({
      ask: async ({ path }, { unpublished, url: issuer }) => {
        if (path !== '/.well-known/governance-revocations.json') return undefined
        const [updated, next_update] = [Date.now(), Date.now() + 900_000]
        return jsonAnswer(200, await revocationList(unpublished, { issuer, updated, next_update }))
      },
    }),
  },
  {
    what: 'a task that lists a caller’s things to nobody in particular',
    check: 'auth-none',
    fault: () =>
      withKey(
        ({ path, headers }) => path === '/v3/list_creatives' && headers.authorization === undefined,
      ),
  },
  {
    what: '401 without WWW-Authenticate',
    check: 'auth-none',
    fault: () => ({
      answer: (answered) => {
        if (answered.status === 401) delete answered.headers['www-authenticate']
      },
    }),
  },
  {
    what: '200 for a wrong key',
    check: 'auth-wrong',
    fault: () =>
      withKey(
        ({ path, headers }) => path === '/v3/list_creatives' && headers.authorization !== undefined,
      ),
  },
  {
    what: '500 for a wrong key',
    check: 'auth-wrong',
    fault: () => ({
      answer: (answered, { headers }) => {
        if (answered.status === 401 && headers.authorization?.includes('sk_live_')) {
          Object.assign(answered, jsonAnswer(500, { message: 'Internal Server Error' }))
        }
      },
    }),
  },
  {
    what: 'a task that is told to another caller',
    check: 'auth-other',
    fault: () => withKey(({ path }) => path === '/v3/get_task_status'),
  },
  {
    what: 'a repetition that is not honoured',
    check: 'idempotency-replay',
    fault: repeated((answered, isSame) => {
      if (isSame) rewrite(answered, (json) => Object.assign(json, { task_id: 'another' }))
      return isSame ? answered : jsonAnswer(409, { errors: [CONFLICT], context: {} })
    }),
  },
  {
    what: 'a conflict that is not found',
    check: 'idempotency-conflict',
    fault: repeated((answered) => answered),
  },
]

const CONFLICT = { code: 'IDEMPOTENCY_CONFLICT', message: 'used', recovery: 'correctable' }

export const ERROR_FAULTS: readonly PlantedFault[] = [
  {
    what: '500 for a task that there is not',
    check: 'error-unknown-task',
    fault: () =>
      at('/v3/no_such_task_of_the_doctor', (answered) => Object.assign(answered, { status: 500 })),
  },
  {
    what: 'a refusal without errors[]',
    check: 'error-bad-request',
    fault: () =>
      failsWith('get_signals', (json) => {
        for (const member of ['errors', 'error', NAMES.errorMember]) delete json[member]
      }),
  },
  {
    what: 'a bad request that is answered 500',
    check: 'error-bad-request',
    fault: () =>
      failsWith('get_signals', (_json, answered) => Object.assign(answered, { status: 500 })),
  },
  {
    what: 'errors without recovery',
    check: 'error-recovery',
    fault: () =>
      failsWith('get_signals', (json) => everyObject(json, (one) => void delete one.recovery)),
  },
  {
    what: 'errors without the context',
    check: 'error-context',
    fault: () => failsWith('get_signals', (json) => void delete json.context),
  },
  {
    what: '500 for a body that is no JSON',
    check: 'error-bad-json',
    fault: () => ({
      ask: ({ path, body }) =>
        path.startsWith('/v3/') && body.length > 0 && !objectIn(body)
          ? jsonAnswer(500, { message: 'Internal Server Error' })
          : undefined,
    }),
  },
  {
    what: 'a stack trace in an error',
    check: 'error-leak',
    fault: () =>
      failsWith('get_signals', (json) =>
        Object.assign(json, { debug: 'Error: boom\n    at run (/srv/app/index.js:3:7)' }),
      ),
  },
  {
    what: '429 without Retry-After',
    check: 'rate-limit',
    fault: () => ({
      ask: ({ path }) =>
        path === '/v3/list_accounts'
          ? jsonAnswer(429, {
              errors: [{ code: 'RATE_LIMITED', message: 'wait', recovery: 'transient' }],
            })
          : undefined,
    }),
  },
]

export const WEBHOOK_FAULTS: readonly PlantedFault[] = [
  {
    what: 'no webhooks',
    check: 'webhook-arrives',
    fault: () => ({ report: () => [] }),
    waitMs: 5_000,
  },
  {
    what: 'a task whose end is not told',
    check: 'webhook-arrives',
    fault: () => ({ report: ({ json }) => (json.status === 'completed' ? [] : [{ json }]) }),
    waitMs: 5_000,
  },
  {
    what: 'unsigned webhooks',
    check: 'webhook-signature',
    fault: () => report(() => ({ isUnsigned: true })),
  },
  {
    what: 'webhooks signed by a key of another purpose',
    check: 'webhook-signature',
    fault: () => ({
      report: ({ json }, { otherPurpose }) => [
        { json, craft: { signer: localSigner(otherPurpose.privateJwk) } },
      ],
    }),
  },
  {
    what: 'webhooks signed by a key that the key set lacks',
    check: 'webhook-signature',
    fault: () => ({
      report: ({ json }, { unpublished }) => [
        { json, craft: { signer: localSigner(unpublished.privateJwk) } },
      ],
    }),
  },
  {
    what: 'webhooks signed for another address',
    check: 'webhook-signature',
    fault: () => report(() => ({ craft: { url: 'https://elsewhere.example/hook' } })),
  },
  {
    what: 'webhooks whose signature has expired',
    check: 'webhook-signature',
    fault: () => report(() => ({ craft: { created: Math.floor(Date.now() / 1_000) - 3_600 } })),
  },
  {
    what: 'a body that is written anew after it was signed',
    check: 'webhook-body-bytes',
    fault: () => report(({ json }) => ({ sent: Buffer.from(JSON.stringify(json, null, 2)) })),
  },
  {
    what: 'webhooks of a task that nobody began',
    check: 'webhook-envelope',
    fault: () => report(({ json }) => ({ json: { ...json, task_id: 'another' } })),
  },
  {
    what: 'webhooks without a status that there is',
    check: 'webhook-envelope',
    fault: () =>
      report(({ json }) => ({
        json: json.status === 'working' ? { ...json, status: 'busy' } : json,
      })),
  },
  {
    what: 'webhooks that lose operation_id',
    check: 'webhook-operation-id',
    fault: () => report(({ json }) => ({ json: without(json, 'operation_id') })),
  },
  {
    what: 'webhooks that lose the context',
    check: 'webhook-context',
    fault: () => report(({ json }) => ({ json: without(json, 'context') })),
  },
  {
    what: 'webhooks that lose the token',
    check: 'webhook-token',
    fault: () => report(({ json }) => ({ json: without(json, 'token') })),
  },
  {
    what: 'a webhook that is never sent again',
    check: 'webhook-retry',
    fault: () => ({ received: 200 }),
    waitMs: 12_000,
  },
  {
    what: 'another idempotency_key on a retry',
    check: 'webhook-retry-key',
    fault: () =>
      report(({ json, attempt }) =>
        attempt > 1 ? { json: { ...json, idempotency_key: `${json.idempotency_key}-2` } } : {},
      ),
  },
  {
    what: 'another body under the same key on a retry',
    check: 'webhook-retry-key',
    fault: () =>
      report(({ json, attempt }) => (attempt > 1 ? { json: { ...json, message: 'again' } } : {})),
  },
  {
    what: 'the same nonce on a retry',
    check: 'webhook-retry-nonce',
    fault: () => {
      const nonces = new Map<unknown, string>()
      return report(({ json: { idempotency_key: key } }) => {
        const nonce = nonces.get(key) ?? createNonce()
        nonces.set(key, nonce)
        return { craft: { nonce } }
      })
    },
  },
  {
    what: 'webhooks out of order',
    check: 'webhook-order',
    fault: () => {
      const held = new Map<string, Json>()
      return {
        report: ({ url, json }) => {
          const before = held.get(url)
          // Only where nothing is turned away, so that what the server hears stays true.
          if (!url.endsWith('/plain') || (before && json.status !== 'completed')) return [{ json }]
          if (!before) {
            held.set(url, json)
            return []
          }
          return [{ json }, { json: before }]
        },
      }
    },
  },
  {
    what: 'one change told under two keys',
    check: 'webhook-once',
    fault: () => ({
      report: ({ url, json }) =>
        json.status === 'working' && url.endsWith('/plain')
          ? [{ json }, { json: { ...json, idempotency_key: `${json.idempotency_key}-again` } }]
          : [{ json }],
    }),
  },
  {
    what: 'a webhook for an inline answer',
    check: 'webhook-inline',
    fault: () => ({
      ask: async ({ path, json }, { send }) => {
        const config = json?.push_notification_config as Json | undefined
        if (path !== '/v3/list_creative_formats' || !config) return undefined
        await send(String(config.url), { json: anEnvelope({ operation_id: config.operation_id }) })
        return undefined
      },
    }),
  },
]
