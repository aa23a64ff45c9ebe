// A console server that outsiders have filled with hostile content: every text that a caller, a called server or a data
// provider can store is one of the payloads.

import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openStorage } from '../../src/app/open-storage.ts'
import { tryJsonObject } from '../../src/lib/try-json.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { createInboxStore } from '../../src/storage/stores/inbox/inbox.ts'
import { type ConsoleServer, startConsole } from './console-pages.ts'
import { eventually } from './eventually.ts'
import { ELSEWHERE, ESCAPING, PAYLOADS } from './hostile-payloads.ts'
import { json, type RogueAgent, startRogueAgent } from './rogue-agent.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

const ALL = Object.entries(PAYLOADS)

/** Names of principals and organizations hold no control characters. */
const asName = (payload: string) => payload.replace(/\p{Cc}/gu, '')
/** As much of it as an address may hold. */
const inUrl = (payload: string) => encodeURI(payload).replace(/[?#]/g, encodeURIComponent)

export interface HostileServer extends ConsoleServer {
  /** Of a receiver, an agent and a file server, which answer with payloads. */
  rogue: RogueAgent
  /** Buyers' links, by principal. */
  links: string[]
}

export async function startHostileServer(): Promise<HostileServer> {
  const rogue = await startRogueAgent(hostileAnswer)
  const server = await startConsole({ prepare: addReceivedMessages })
  const stop = async () => {
    await server.stop()
    await rogue.stop()
  }
  try {
    return { ...server, rogue, links: await fill(server, rogue), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A message of a seller for each payload, as a receiver on the same database keeps it. */
async function addReceivedMessages(data: string): Promise<void> {
  const storage = await openStorage({ data, databaseUrl: undefined, databasePool: 1 })
  const inbox = createInboxStore(storage.database)
  const limits = { maxPerSender: 1_000, maxBytesPerSender: 1e8, retentionMs: 86_400_000 }
  for (const [name, payload] of ALL) {
    const idempotency_key = `${payload}${name}`
    const ids = { task_id: payload, operation_id: payload }
    const envelope = { idempotency_key, ...ids, [payload]: payload, message: payload }
    const body = Buffer.from(JSON.stringify(envelope))
    const digest = createHash('sha256').update(body).digest('base64url')
    const message = { sender: `https://seller.example/${payload}`, route: payload, family: 'task' }
    const reported = { status: 'failed', event_at: Date.now(), digest, body }
    await inbox.accept([{ ...message, ...reported, ...ids, idempotency_key }] as never, limits)
    await storage.transact(async (tx) => {
      const { claimed } = await inbox.claim(tx, { limit: 1, leaseMs: 60_000, worker: 'test' })
      for (const one of claimed) await inbox.finish(tx, one, { state: 'dead', reason: payload })
    })
  }
  await storage.close()
}

/** Whatever is requested: an MCP agent, agent card, manifest or receiver that refuses, all made of payloads. */
function hostileAnswer(
  { path, body }: { path: string; body: string },
  response: Parameters<typeof json>[0],
): void {
  const { id, method } = (tryJsonObject(body) ?? {}) as { id?: unknown; method?: string }
  const texts = Object.values(PAYLOADS)
  const members = Object.fromEntries(texts.map((text) => [text, text]))
  if (path.startsWith('/hooks/')) {
    const index = Number(path.split('/')[2])
    const payload = texts[index] ?? ''
    const printable = payload.replace(/[^\x20-\x7e]/g, '?')
    response.writeHead([401, 503, 400, 302][index % 4] ?? 500, printable, {
      'content-type': 'text/html',
      'www-authenticate': `Signature error="${printable.replaceAll('"', '')}"`,
      location: `${ELSEWHERE}/${encodeURIComponent(payload)}`,
      'x-hostile': printable,
    })
    response.end(`${payload}<html>${payload}`)
    return
  }
  if (method === 'tools/list') {
    const properties = Object.fromEntries(
      texts.map((text) => [
        text,
        { type: 'string', title: text, description: text, default: text },
      ]),
    )
    const inputSchema = { type: 'object', description: texts[0], properties, required: texts }
    const tools = texts.map((name) => ({ name, description: name, inputSchema }))
    json(response, 200, { jsonrpc: '2.0', id, result: { tools } })
  } else if (method !== undefined) {
    const structuredContent = { status: 'completed', message: texts[0], ...members }
    json(response, 200, { jsonrpc: '2.0', id, result: { structuredContent, content: [] } })
  } else if (path.includes('agent-card') || path.includes('agent.json')) {
    const card = { name: texts[1], description: texts[2], version: texts[3], url: texts[4] }
    json(response, 200, {
      ...card,
      skills: texts.map((name) => ({ id: name, name, tags: [name] })),
    })
  } else json(response, 200, { ...members, name: texts[0], brands: [members], agents: [members] })
}

async function fill(server: ConsoleServer, rogue: RogueAgent): Promise<string[]> {
  const operator = await signedIn(server)
  // Before the refused attempts, which use up what one address may try.
  await addSession(server, operator, asName(PAYLOADS.script))
  const adding = ALL.map(async ([kind, payload], index) => {
    const name = asName(`${payload} ${kind}`).slice(0, 200)
    const { principal_id, key } = await operator('/principals', { name, scopes: ['tasks'] })
    const call = caller(server, key)
    await addCreatives(server, call, payload)
    await addTasks(call, payload, `${rogue.url}/hooks/${index}/${encodeURIComponent(payload)}`)
    await addBuys(call, operator, payload, `${rogue.url}/hooks/${index}/buys?${inUrl(payload)}`)
    await refused(server, payload)
    await addKeys(operator, principal_id, payload)
    const made = await operator(`/principals/${principal_id}/links`, {
      seconds: 3_600,
      shows: ['deliveries', 'endpoints', 'reports'],
    })
    return made.url as string
  })
  const links = await Promise.all(adding)
  await importSignals(operator)
  await addReferences(server, rogue)
  await operator('/doctor', { subject: 'agent', url: `${rogue.url}/${inUrl(PAYLOADS.script)}` })
  await operator('/doctor', {
    subject: 'receiver',
    url: `${rogue.url}/hooks/0/x`,
    credential: { kind: 'own-key' },
  })
  return links
}

/** Somebody of this name is signed in to the console. */
async function addSession({ url }: ConsoleServer, operator: Send, name: string): Promise<void> {
  const { key } = await operator('/principals', { name, scopes: ['viewer'] })
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ key }),
  })
  await taken('/session', answer)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Send = (path: string, body: unknown, type?: string) => Promise<any>

/** Posts to the console's API as its operator. */
async function signedIn({ url, cookie }: ConsoleServer): Promise<Send> {
  const session = await fetch(`${url}/console/api/session`, { headers: { cookie } })
  const { csrf } = (await session.json()) as { csrf: string }
  return async (path, body, type = 'application/json') => {
    const answer = await fetch(`${url}/console/api${path}`, {
      method: 'POST',
      headers: { cookie, 'x-adwire-csrf': csrf, 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return taken(path, answer)
  }
}

function caller({ url }: ConsoleServer, key: string): Send {
  return async (task, request) => {
    const answer = await fetch(`${url}/v3/${task}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    return taken(task, answer)
  }
}

/** What the server did not take would not be displayed either. */
async function taken(what: string, answer: Response): Promise<unknown> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text.slice(0, 2_000)}`)
  return tryJsonObject(text) ?? text
}

async function addCreatives({ url }: ConsoleServer, call: Send, payload: string): Promise<void> {
  const format = (id: string) => ({ agent_url: url, id })
  const click_url = { asset_type: 'url', url: `https://shop.example/?${inUrl(payload)}` }
  const text = (content: string) => ({ asset_type: 'text', content })
  await call('sync_creatives', {
    idempotency_key: randomUUID(),
    creatives: [
      {
        creative_id: `${payload}-html`.slice(0, 255),
        name: payload,
        tags: [payload.slice(0, 100)],
        format_id: format('display_300x250_html'),
        assets: {
          html_creative: { asset_type: 'html', content: ESCAPING },
        },
      },
      {
        creative_id: `${payload}-image`.slice(0, 255),
        name: payload,
        format_id: format('display_300x250_image'),
        assets: {
          // Begins like a file of this server, and leads to another one.
          banner_image: {
            asset_type: 'image',
            width: 300,
            height: 250,
            format: 'png',
            alt_text: payload,
            url: `${url}/assets/..//attacker.example/a.png`,
          },
          click_url,
        },
      },
      {
        creative_id: `${payload}-native`.slice(0, 255),
        name: payload,
        format_id: format('native_mention'),
        assets: {
          mention_text: text(payload),
          sponsored_by: text(payload.slice(0, 60)),
          cta_url: click_url,
        },
      },
    ],
  })
}

async function addTasks(call: Send, payload: string, url: string): Promise<void> {
  for (const outcome of ['completed', 'failed', 'input-required'] as const) {
    const made = await call('simulate_task', {
      duration_seconds: 0,
      steps: 1,
      outcome,
      [payload]: payload,
      context: { [payload]: payload },
      push_notification_config: {
        url: `${url}?${inUrl(payload)}`,
        operation_id: 'x',
        token: `${payload}${payload}`,
      },
    })
    if (outcome !== 'input-required') continue
    await eventually(async () => {
      const { status } = await call('get_task_status', { task_id: made.task_id })
      if (status !== 'input-required') throw new Error(`it is ${status}`)
    })
    const input = { [payload]: payload }
    await call('provide_task_input', { task_id: made.task_id, input, message: payload })
  }
}

async function addBuys(call: Send, operator: Send, payload: string, url: string): Promise<void> {
  for (const decision of ['waits', 'approved', 'rejected'] as const) {
    const made = await call('create_media_buy', {
      idempotency_key: randomUUID(),
      account: { brand: { domain: 'northwind-outdoor.example' }, operator: 'agency.example' },
      brand: { domain: 'northwind-outdoor.example', brand_id: payload },
      name: payload,
      buyer_ref: payload,
      po_number: payload.slice(0, 100),
      start_time: 'asap',
      end_time: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      packages: [
        {
          product_id: 'business_weekly_sponsorship',
          pricing_option_id: 'flat_week',
          budget: 12_000,
          buyer_ref: payload,
          context: { [payload]: payload },
        },
      ],
      context: { [payload]: payload },
      push_notification_config: { url, operation_id: 'buy' },
      reporting_webhook: { url, reporting_frequency: 'daily' },
    })
    const { task_id } = made
    await eventually(() => operator(`/approvals/${task_id}/ask`, { question: payload }))
    await call('provide_task_input', { task_id, message: payload })
    if (decision === 'waits') continue
    await operator(`/approvals/${task_id}`, { approved: decision === 'approved', note: payload })
  }
}

/** Attempts that are written down, and refusals that may repeat what was sent. */
async function refused({ url }: ConsoleServer, payload: string): Promise<void> {
  const printable = encodeURIComponent(payload)
  const attempts: [string, RequestInit][] = [
    ['/console/api/session', { method: 'POST', body: JSON.stringify({ key: payload }) }],
    ['/console/api/link/session', { method: 'POST', body: JSON.stringify({ token: payload }) }],
    [`/console/api/deliveries/${printable}/retry`, { method: 'POST', body: '{}' }],
    [`/console/api/principals/${printable}/revoke`, { method: 'POST', body: '{}' }],
    [`/v3/${printable}`, { method: 'POST', body: '{}' }],
  ]
  for (const [path, init] of attempts) {
    const headers = { 'content-type': 'application/json', 'user-agent': printable }
    // A wrong key is refused for itself; the others come from another site.
    const origin = path === '/console/api/session' ? url : `https://${printable}.example`
    const site = { origin, 'x-forwarded-for': printable }
    const answer = await fetch(url + path, { ...init, headers: { ...headers, ...site } })
    const text = await answer.text()
    if (answer.status < 400 || answer.status >= 500) {
      throw new Error(`${path}: ${answer.status} ${text}`)
    }
    const type = answer.headers.get('content-type') ?? ''
    if (!type.startsWith('application/json')) throw new Error(`${path}: ${type}`)
  }
}

async function addKeys(operator: Send, principal_id: string, payload: string): Promise<void> {
  const { publicKey } = generateKeyPairSync('ed25519')
  const kid = `${payload.replace(/[^\x21-\x7e]/g, '.')}-${principal_id}`.slice(-256)
  const use = {
    use: 'sig',
    key_ops: ['verify'],
    [identifiersFor('proto').keyUse]: 'request-signing',
  }
  const jwk = JSON.stringify({ ...publicKey.export({ format: 'jwk' }), ...use, kid })
  await operator(`/principals/${principal_id}/request-keys`, { jwk })
  const jwks_url = `https://keys.example/${inUrl(payload)}`
  await operator(`/principals/${principal_id}/request-keys`, { jwks_url })
}

async function importSignals(operator: Send): Promise<void> {
  const signals = ALL.map(([kind, payload]) => ({
    signal_agent_segment_id: `${kind}/${payload}`.slice(0, 200),
    name: payload,
    description: `${payload} hikers`,
    signal_type: 'marketplace',
    data_provider: payload,
    coverage_percentage: 12,
    platforms: 'sandbox',
    cpm: 1.5,
    currency: 'USD',
  }))
  const columns = Object.keys(signals[0] ?? {})
  const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`
  const rows = signals.map((signal) => Object.values(signal).map(cell).join(','))
  const query = new URLSearchParams({ name: PAYLOADS.handler, format: 'csv', mode: 'import' })
  const reported = await operator(
    `/signal-imports?${query}`,
    [columns.join(','), ...rows, ''].join('\n'),
    'application/octet-stream',
  )
  if (!String(JSON.stringify(reported)).includes('added')) throw new Error(JSON.stringify(reported))
}

async function addReferences({ url, data }: ConsoleServer, rogue: RogueAgent): Promise<void> {
  const adding = ALL.map(async ([kind, payload]) => {
    const args = [MAIN, 'orgs', 'create', asName(payload), '--data', data, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { key } = JSON.parse(stdout) as { key: string }
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return taken(path, await fetch(url + path, init))
    }
    const domain = `${kind}.hostile.example`
    await post('/api/manifest-refs', {
      domain,
      reference_type: 'url',
      manifest_url: `${rogue.url}/m/${inUrl(payload)}`,
    })
    await post('/api/manifest-refs', {
      domain,
      reference_type: 'agent',
      agent_url: rogue.url,
      agent_id: payload,
    })
    await post('/api/me/agents', {
      url: `${rogue.url}/${inUrl(payload)}`,
      type: 'sales',
      name: asName(payload),
      visibility: 'public',
    })
  })
  await Promise.all(adding)
}
