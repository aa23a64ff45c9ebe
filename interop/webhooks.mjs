// Adwire's webhooks, verified by the SDK with the keys that Adwire publishes: what was sent is accepted, and what was
// changed on the way, sent twice or signed by nobody is not.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { createWebhookVerifier, InMemoryReplayStore, InMemoryRevocationStore, StaticJwksResolver } =
  require('@adcp/sdk/signing')

export async function verifyWebhooks({ url, keys }) {
  const receiver = await startReceiver()
  const steps = []
  const check = async (id, verified, wanted) => {
    const outcome = await verified.then(
      () => 'accepted',
      (error) => error.code ?? String(error),
    )
    const isRight = wanted === 'accepted' ? outcome === wanted : outcome !== 'accepted'
    steps.push(isRight ? { id, outcome: 'passed' } : { id, outcome: 'failed', reason: outcome })
  }
  try {
    const sent = await sendOne({ url, key: keys['Acme Outdoor'], receiver })
    const { keys: jwks } = await (await fetch(`${url}/.well-known/jwks.json`)).json()
    const verify = createWebhookVerifier({
      jwks: new StaticJwksResolver(jwks),
      replayStore: new InMemoryReplayStore(),
      revocationStore: new InMemoryRevocationStore(),
    })
    const changed = { ...sent, body: sent.body.replace('completed', 'rejected!') }
    await check('a body that was changed is refused', verify(changed), 'refused')
    await check('what was sent is accepted', verify(sent), 'accepted')
    await check('the same again is refused', verify(sent), 'refused')
    const { signature: _signature, ...bare } = sent.headers
    await check('without a signature it is refused', verify({ ...sent, headers: bare }), 'refused')
  } catch (error) {
    steps.push({ id: 'run', outcome: 'failed', reason: String(error) })
  } finally {
    await receiver.stop()
  }
  return { id: 'webhook verifier', title: 'webhook verifier', steps }
}

async function sendOne({ url, key, receiver }) {
  const answer = await fetch(`${url}/v3/build_creative`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      adcp_version: '3.0',
      idempotency_key: `interop-${Date.now()}-webhook`,
      message: 'A summer sale.',
      target_format_id: { agent_url: url, id: 'display_300x250' },
      push_notification_config: { url: receiver.url, operation_id: 'interop_webhook' },
    }),
  })
  if (!answer.ok) throw new Error(`build_creative: ${answer.status} ${await answer.text()}`)
  return receiver.completed
}

const WAIT_MS = 60_000

async function startReceiver() {
  let resolveCompleted
  let timer
  const completed = new Promise((resolve, reject) => {
    resolveCompleted = resolve
    timer = setTimeout(() => reject(new Error('no webhook came')), WAIT_MS)
  })
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    response.writeHead(200).end()
    const { method, headers, url } = request
    if (!body.includes('"completed"')) return
    clearTimeout(timer)
    resolveCompleted({ method, headers, url: `http://${headers.host}${url}`, body })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    completed,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
