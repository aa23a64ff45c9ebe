// Something to look at in the console of a demo server: buyers whose receivers take webhooks, refuse them, fail or
// are not there, tasks of every outcome, and media buys that wait for a decision. For the pictures and the tests.
import { once } from 'node:events'
import { createServer } from 'node:http'

const REFUSED = JSON.stringify({ error: 'webhook_signature_window_invalid' })
const CHALLENGE = { 'www-authenticate': 'Signature error="webhook_signature_window_invalid"' }
const BROKEN =
  '<html><body><h1>503 Service Unavailable</h1>\n<p>down for maintenance</p></body></html>'

const RECEIVERS = {
  '/northwind/webhooks': [200, '{"ok":true}'],
  '/solara/adcp': [200, '{"received":true}'],
  '/acme-media/hooks': [401, REFUSED, CHALLENGE],
  '/harbor-agency/in': [503, BROKEN],
}

/** Calls a running demo server until there is something of everything. Ends with the receivers that it started. */
export async function makeTraffic(server, key) {
  const receivers = createServer((request, response) => {
    const [status, body, headers = {}] = RECEIVERS[request.url] ?? [404, '']
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  const here = await listening(receivers)
  const nobody = createServer()
  const away = await listening(nobody)
  nobody.close()

  const urls = [...Object.keys(RECEIVERS).map((path) => here + path), `${away}/gone-fishing/hooks`]
  const outcomes = ['completed', 'failed', 'completed', 'canceled', 'input-required']
  for (const outcome of outcomes) {
    for (const [index, url] of urls.entries()) {
      await call(server, key, 'simulate_task', {
        duration_seconds: 0,
        steps: 1,
        outcome,
        push_notification_config: { url, operation_id: `campaign-${index + 1}-${outcome}` },
      })
    }
  }
  await call(server, key, 'simulate_task', {
    duration_seconds: 3_000,
    steps: 8,
    push_notification_config: { url: urls[0], operation_id: 'long-one' },
  })
  for (const [index, week] of ['spring-launch', 'summer-sale', 'autumn-fair'].entries()) {
    await call(server, key, 'create_media_buy', {
      idempotency_key: `console-${week}-000001`,
      account: { brand: { domain: 'northwind-outdoor.example' }, operator: 'agency.example' },
      brand: { domain: 'northwind-outdoor.example' },
      start_time: 'asap',
      end_time: new Date(Date.now() + (30 + index) * 86_400_000).toISOString(),
      packages: [
        {
          product_id: 'business_weekly_sponsorship',
          pricing_option_id: 'flat_week',
          budget: 12_000 * (index + 1),
        },
      ],
      push_notification_config: { url: urls[0], operation_id: week },
    })
  }
  return { urls, close: () => receivers.close() }
}

async function listening(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

async function call(server, key, task, request) {
  const answer = await fetch(`${server}/v3/${task}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${task}: ${JSON.stringify(body)}`)
  return body
}
