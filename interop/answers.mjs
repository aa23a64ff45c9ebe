// Every answer, call by call and release by release, against the public schemas of 3.0 and what 3.1 and 3.2 add: over
// HTTP and MCP, from a sandbox and from the demo. Nothing is relaxed but what EXEMPT names with its reason.
import { createServer } from 'node:http'
import { shapeCalls } from './calls/index.mjs'
import { SILENT_TASKS } from './compact-shapes.mjs'
import { ANSWERS, envelopeOf, NEWEST_MEMBERS, WEBHOOK } from './newer-shapes.mjs'
import { lineOf, makeAjv, publicSchemas } from './public-schemas.mjs'
import { startDemo } from './servers.mjs'

const RELEASES = {
  none: {},
  '3.0': { adcp_version: '3.0' },
  3.1: { adcp_version: '3.1' },
  3.2: { adcp_version: '3.2' },
}
const TRANSPORTS = ['http', 'mcp']
/** Schemas of 3.0 that have another name than their task. */
const NAMES = {
  get_task_status: 'core/tasks-get-response',
  list_tasks: 'core/tasks-list-response',
}
const EXEMPT = [
  // The list of 3.0 has no build_creative, although 3.0 has asynchronous answers of it.
  [/^(get_task_status|list_tasks)$/, /task_type must be equal/],
  [/^list_tasks$/, /domain must be equal/],
]
const TOLD_FAULTS = 20
/** Capabilities of 3.1 have them, with the members that everything else has since 3.2. */
const FORMATS_OF_3_1 = '/creative/supported_formats'

/** `sandbox`: its address and a key. */
export async function checkAnswers(sandbox) {
  const receiver = await startReceiver()
  const check = checks()
  const results = []
  const demo = await startDemo()
  try {
    for (const [name, server, isSandbox] of [
      ['sandbox', { url: sandbox.url, key: sandbox.keys['Acme Outdoor'] }, true],
      ['demo', demo, false],
    ]) {
      for (const release of Object.keys(RELEASES)) {
        const steps = []
        for (const transport of TRANSPORTS) {
          const tag = `${name}${release.replace('.', '')}${transport}`
          const run = {
            ...server,
            release,
            transport,
            tag,
            isSandbox,
            hook: `${receiver.url}/${tag}`,
          }
          steps.push(...(await checkRun(run, check)))
        }
        const id = `answers, ${name}, ${release === 'none' ? 'no release named' : release}`
        results.push({ id, title: id, steps })
      }
    }
    results.push(checkWebhooks(receiver.received, check))
  } finally {
    await demo.stop()
    await receiver.stop()
  }
  return results
}

async function checkRun(run, check) {
  const { url, hook, isSandbox, tag, release, transport } = run
  const isNewest = release === '3.2'
  const kept = {}
  const steps = []
  for (const call of shapeCalls({ url, hook, isSandbox, isNewest, tag })) {
    const given = typeof call.request === 'function' ? call.request(kept) : call.request
    const request = { ...given, ...RELEASES[release] }
    const body = await ask(run, call.task, request)
    call.saves?.(body, kept)
    const faults = check.answer(call.task, release, body)
    const id = `${transport} ${steps.length} ${call.task}`
    if (faults.length === 0) steps.push({ id, outcome: 'passed' })
    else steps.push({ id, outcome: 'failed', reason: faults.slice(0, TOLD_FAULTS).join('; ') })
  }
  return steps
}

async function ask({ url, key, transport }, task, request) {
  const params = { name: task, arguments: request }
  const answer = await fetch(transport === 'mcp' ? `${url}/mcp` : `${url}/v3/${task}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(
      transport === 'mcp' ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params } : request,
    ),
  })
  const body = await answer.json()
  return transport === 'mcp' ? (body.result?.structuredContent ?? body) : body
}

function checks() {
  const first = publicSchemas()
  const ajv = makeAjv()
  const compiled = new Map()
  const ours = (name, schema, value) => {
    if (!compiled.has(name)) compiled.set(name, ajv.compile(schema))
    const fits = compiled.get(name)
    return fits(value) ? [] : fits.errors.map(lineOf)
  }
  return {
    answer: (task, release, body) => {
      // A controller that refuses does so with its own messages.
      if (task === 'comply_test_controller') return []
      const all = [
        ...(release === 'none' || release === '3.0' ? [] : newerFaults(ours, task, release, body)),
        ...(release === '3.0' ? firstFaults(first, task, body) : []),
        ...newestMembers(release, body),
      ]
      return all.filter((fault) => !EXEMPT.some(([of, what]) => of.test(task) && what.test(fault)))
    },
    webhook: (body) => [
      ...ours('webhook', WEBHOOK, body),
      ...first
        .faultsOf('core/mcp-webhook-payload', body)
        .filter((fault) => !/task_type must be equal/.test(fault)),
    ],
  }
}

/** By the schema of the task and its way of being answered; errors by theirs. */
function firstFaults(first, task, body) {
  const { status } = body
  if (status === 'failed' && body.errors) {
    const reported = [...body.errors, ...(body.adcp_error ? [body.adcp_error] : [])]
    return reported.flatMap((error) => first.faultsOf('core/error', error))
  }
  const name = NAMES[task] ?? first.tools[task]?.response_schema.replace('.json', '')
  const later = name?.replace('-response', `-async-response-${status}`)
  const wanted = later && !NAMES[task] && first.has(later) ? later : name
  return wanted && first.has(wanted) ? first.faultsOf(wanted, body) : []
}

function newerFaults(ours, task, release, body) {
  const own = ANSWERS[task] ? ours(task, ANSWERS[task], body) : []
  const hasStatus = !SILENT_TASKS.has(task)
  const envelope = envelopeOf(release, { hasStatus })
  return [...ours(`envelope ${release} ${hasStatus}`, envelope, body), ...own]
}

/** Members of 3.2 in an answer to another release. */
function newestMembers(release, value, path = '') {
  if (release === '3.2' || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) => {
    const at = `${path}/${member}`
    if (release === '3.1' && at === FORMATS_OF_3_1) return []
    const own = NEWEST_MEMBERS.includes(member) ? [`${at} is of 3.2`] : []
    return [...own, ...newestMembers(release, inner, at)]
  })
}

function checkWebhooks(received, check) {
  const steps = received.map(({ path, body }, index) => {
    const faults = check.webhook(body)
    const id = `${index} ${path} ${body.status}`
    if (faults.length === 0) return { id, outcome: 'passed' }
    return { id, outcome: 'failed', reason: faults.join('; ') }
  })
  return { id: 'answers, webhooks', title: 'answers, webhooks', steps }
}

async function startReceiver() {
  const received = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
