// The work of `adwire webhook send`: a body, the headers that secure it, the request, and what its answer means to a
// sender (spec 5, 6.4). Each attempt sends the same bytes with a new signature, as real deliveries do.

import { randomUUID } from 'node:crypto'
import { systemClock } from '../lib/clock.ts'
import type { Egress, EgressResult } from '../lib/safe-fetch/safe-fetch.ts'
import { type Identifiers, identifiersFor } from '../protocol/identifiers.ts'
import { localSigner } from '../signing/local-signer.ts'
import { signBearer } from '../webhooks/schemes/bearer.ts'
import { signHmac } from '../webhooks/schemes/hmac.ts'
import { signWebhook } from '../webhooks/schemes/rfc9421.ts'
import { sentUrlOf } from '../webhooks/sender/endpoint.ts'
import { checkAttempt, HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import { durationOf, wholeNumber } from './arguments.ts'
import { CommandError, type Ending } from './exit-codes.ts'
import { readJsonObject, readText } from './input-text.ts'
import { openEgress } from './own-egress.ts'
import { printableText } from './printable-text.ts'
import { readSecret } from './secret-argument.ts'
import { configFrom } from './settings-options.ts'
import { print, printJson, UsageError } from './terminal.ts'
import { type SampleFlags, sampleBody } from './webhook-samples.ts'
import { keyFrom, type SendKey, serveKeys } from './webhook-send-key.ts'

export interface SendFlags extends SampleFlags {
  to: string
  body?: string
  key?: string
  makeKey?: boolean
  serveKeys?: string
  hmac?: string
  bearer?: string
  token?: string
  operationId?: string
  idempotencyKey?: string
  result?: string
  sequence: string
  repeat?: string
  timeout: string
  allowPrivate?: boolean
  json?: boolean
}

/** How the webhook is secured. */
type Security =
  | { scheme: 'RFC 9421'; key: SendKey }
  | { scheme: 'HMAC-SHA256'; secret: string }
  | { scheme: 'Bearer'; secret: string }

export async function send(flags: SendFlags): Promise<void> {
  const times = 1 + (flags.repeat === undefined ? 0 : wholeNumber('--repeat', flags.repeat))
  if (times > MAX_TIMES) throw new UsageError(`--repeat may be up to ${MAX_TIMES - 1}`)
  const timeoutMs = durationOf('--timeout', flags.timeout, { isSome: true })
  const config = configFrom({ ...flags })
  const names = identifiersFor(config.protocolName)
  const egress = openEgress(config, flags)
  try {
    const checked = egress.checkUrl(flags.to)
    if (!checked.ok) throw new UsageError(`--to: ${checked.message}${allowHint(checked.code)}`)
    const security = await securityFrom(flags, names)
    const message = await messageFrom(flags, security)
    const server = await published(flags, security)
    try {
      if (!flags.json) introduce(security, message.token)
      let worst: Ending = 'ok'
      let last = ''
      for (let time = 0; time < times; time++) {
        const headers = {
          ...message.headers,
          ...(await securedBy(security, names, { ...message, url: flags.to })),
        }
        const answer = await post(egress, { url: flags.to, headers, body: message.body, timeoutMs })
        const reported = meaningOf(answer, time)
        show(flags, { headers, body: message.body, answer, reported, time })
        if (reported.ending !== 'ok' && worst === 'ok')
          [worst, last] = [reported.ending, reported.text]
      }
      if (worst !== 'ok') throw new CommandError(worst, last)
    } finally {
      await server?.close()
    }
  } finally {
    await egress.close()
  }
}

const MAX_TIMES = 100
const MAX_ANSWER_BYTES = 65_536

async function securityFrom(flags: SendFlags, names: Identifiers): Promise<Security> {
  const { hmac, bearer, key, serveKeys: port } = flags
  if ([hmac, bearer, key].filter((one) => one !== undefined).length > 1) {
    throw new UsageError('give one of --key, --hmac and --bearer')
  }
  if (port !== undefined && (hmac ?? bearer) !== undefined) {
    throw new UsageError(
      '--serve-keys requires a signature: it cannot be combined with --hmac or --bearer',
    )
  }
  if (hmac !== undefined) return { scheme: 'HMAC-SHA256', secret: await readSecret('--hmac', hmac) }
  if (bearer !== undefined)
    return { scheme: 'Bearer', secret: await readSecret('--bearer', bearer) }
  return { scheme: 'RFC 9421', key: keyFrom(flags, names) }
}

async function published({ serveKeys: port }: SendFlags, security: Security) {
  if (port === undefined || security.scheme !== 'RFC 9421') return undefined
  const number = port === '0' ? 0 : wholeNumber('--serve-keys', port)
  if (number > 65_535)
    throw new UsageError(`--serve-keys must be a port from 0 to 65535 (got ${port})`)
  const server = await serveKeys(security.key.publicJwk, number)
  process.stderr.write(`keys: ${server.url}/.well-known/brand.json, agent ${server.url}\n`)
  return server
}

interface Message {
  body: Buffer
  headers: Record<string, string>
  token: string | undefined
}

async function messageFrom(flags: SendFlags, { scheme }: Security): Promise<Message> {
  const token = flags.token === undefined ? undefined : await readSecret('--token', flags.token)
  // The envelope has a field for it; other bodies have none, and A2A reads it from a header.
  const isInBody =
    flags.transport === 'mcp' && ['status', 'report', 'impairment'].includes(flags.kind)
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined || (isInBody && flags.body === undefined)
      ? {}
      : { 'x-a2a-notification-token': token }),
  }
  if (flags.body !== undefined) {
    const given = flags.body === '-' || flags.body.startsWith('@') ? flags.body : `@${flags.body}`
    return { body: Buffer.from(await readText('--body', given)), headers, token }
  }
  const { result, operationId: operation_id, idempotencyKey } = flags
  const sample = sampleBody({
    ...flags,
    to: { idempotency_key: idempotencyKey ?? randomUUID(), operation_id, token },
    sequence_number: wholeNumber('--sequence', flags.sequence),
    result: result === undefined ? undefined : await readJsonObject('--result', result),
    scheme,
    now: systemClock.now(),
  })
  return { body: Buffer.from(JSON.stringify(sample)), headers, token }
}

async function securedBy(
  security: Security,
  names: Identifiers,
  { url, body, headers }: Pick<Message, 'body' | 'headers'> & { url: string },
): Promise<Record<string, string>> {
  const now = systemClock.now() / 1_000
  if (security.scheme === 'Bearer') return headersOf(signBearer(security.secret))
  if (security.scheme === 'HMAC-SHA256')
    return headersOf(signHmac(body, security.secret, { names, now }))
  const { 'content-type': contentType = '' } = headers
  const message = {
    method: 'POST',
    url: sentUrlOf(url),
    headers: { 'content-type': contentType },
    body,
  }
  return headersOf(
    await signWebhook(message, names, { signer: localSigner(security.key.privateJwk), now }),
  )
}

function headersOf(
  signed: { ok: true; headers: object } | { ok: false; detail: string },
): Record<string, string> {
  if (!signed.ok) throw new UsageError(`the webhook cannot be signed: ${signed.detail}`)
  return { ...signed.headers }
}

function post(
  egress: Egress,
  {
    timeoutMs,
    ...request
  }: { url: string; headers: Record<string, string>; body: Buffer; timeoutMs: number },
): Promise<EgressResult> {
  return egress.fetch({
    ...request,
    method: 'POST',
    totalTimeoutMs: timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    overflow: 'truncate',
    redirects: 'none',
  })
}

interface Meaning {
  ending: Ending
  text: string
}

function meaningOf(answer: EgressResult, time: number): Meaning {
  if (!answer.ok) {
    const isLate = ['timeout', 'dns_timeout', 'connect_timeout'].includes(answer.code)
    const text = `${answer.message}${allowHint(answer.code)}: the sender would retry, with increasing delays, for 24 hours`
    return { ending: isLate ? 'timeout' : 'unreachable', text }
  }
  const { status } = answer
  if (status >= 200 && status < 300) {
    const text =
      time === 0
        ? 'accepted: the sender counts it as delivered'
        : 'accepted again, as required: your code should have received the event once'
    return { ending: 'ok', text }
  }
  const now = systemClock.now()
  const verdict = checkAttempt(
    { status: 'failed', http_status_code: status, retryAfter: answer.headers['retry-after'] },
    { scheduledAttempt: 1, now, expires_at: now + HORIZON_MS, random: 0.5 },
  )
  const then =
    verdict.next.state === 'pending'
      ? `the sender retries in ${Math.ceil(verdict.next.inMs / 1_000)} s`
      : verdict.isGone
        ? 'the sender stops sending to this URL'
        : 'the sender does not retry: the same bytes would fail again'
  return {
    ending: status === 401 ? 'unauthorized' : 'refused',
    text: `${refusal(answer)}; ${then}`,
  }
}

/** Reports which check failed, if the receiver says so (spec 5). */
function refusal({ status, headers }: EgressResult & { ok: true }): string {
  const said = /\berror="?([a-z0-9_]{1,64})/i.exec(headers['www-authenticate'] ?? '')?.[1]
  if (status === 401)
    return `the receiver refused the signature or credentials${said ? `: ${said}` : ''}${keyHint(said)}`
  if (status === 409) return 'the receiver already has a different body for this idempotency_key'
  return `the receiver returned ${status}`
}

/**
 * A key that is new each time is never known to the receiver, and receivers limit how often they fetch a seller's
 * keys.
 */
function keyHint(said: string | undefined): string {
  return said?.endsWith('_key_unknown')
    ? ' (use one --key, and publish it with --serve-keys or give its public half to the receiver)'
    : ''
}

function allowHint(code: string): string {
  return ['address_refused', 'scheme_refused'].includes(code) ? ' (--allow-private permits it)' : ''
}

function introduce(security: Security, token: string | undefined): void {
  if (security.scheme === 'RFC 9421' && security.key.isNew) {
    print(`public key (new): ${JSON.stringify(security.key.publicJwk)}`)
  }
  if (token !== undefined) print('token: sent as given')
}

interface Sent {
  headers: Record<string, string>
  body: Buffer
  answer: EgressResult
  reported: Meaning
  time: number
}

/** Only the first characters of secrets are printed. */
function show(flags: SendFlags, { headers, body, answer, reported, time }: Sent): void {
  const request = { method: 'POST', url: flags.to, headers: withoutSecrets(headers) }
  if (flags.json) {
    const { ok, durationMs } = answer
    const response = answer.ok
      ? { status: answer.status, headers: answer.headers, body: answer.body.toString('utf8') }
      : { error: answer.code }
    printJson({
      ok: ok && reported.ending === 'ok',
      time: time + 1,
      request: { ...request, body: body.toString('utf8') },
      response,
      meaning: reported.text,
      duration_ms: Math.round(durationMs),
    })
    return
  }
  print(`${time === 0 ? '' : '\n'}> POST ${printableText(flags.to)}`)
  for (const [name, value] of Object.entries(request.headers)) print(`> ${name}: ${value}`)
  if (time === 0) print(`>\n> ${printableText(body.toString('utf8'))}`)
  if (answer.ok) {
    print(`< ${answer.status} in ${Math.round(answer.durationMs)} ms`)
    const said = printableText(answer.body.toString('utf8'))
    if (said !== '') print(`< ${said.slice(0, MAX_SHOWN_CHARS)}`)
  }
  // A failure is reported once, at the end.
  if (reported.ending === 'ok') print(reported.text)
}

const MAX_SHOWN_CHARS = 2_000

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  const hidden = new Set(['authorization', 'x-a2a-notification-token'])
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      hidden.has(name) ? `${value.slice(0, 10)}…` : value,
    ]),
  )
}
