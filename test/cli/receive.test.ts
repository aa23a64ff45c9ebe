import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signHmac } from '../../src/webhooks/schemes/hmac.ts'
import { signWebhook } from '../../src/webhooks/schemes/rfc9421.ts'
import { adwire, type Env, folder, type Server, start } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { NAMES, PAIR, SIGNER } from '../support/sender.ts'

type Json = Record<string, unknown>

const SECRET = 'a secret of at least thirty-two bytes'

/** Runs `adwire receive …` on a free port, unless one is given, until it has said where. */
async function receive(args: readonly string[], env: Env = {}): Promise<Server> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const running = start(['receive', ...port, ...args], env)
  const ready = new Promise<void>((resolve) => {
    running.child.stdout?.on('data', () => {
      if (/remembered .*\n/.test(running.output.stdout)) resolve()
    })
  })
  await Promise.race([ready, running.ended])
  const url = /listens on (\S+)/.exec(running.output.stdout)?.[1]
  if (!url) throw new Error(`adwire receive did not start: ${running.output.stderr}`)
  return { ...running, url }
}

function envelope(changes: Json = {}): Json {
  return {
    idempotency_key: randomUUID(),
    task_id: randomUUID(),
    task_type: 'activate_signal',
    status: 'working',
    timestamp: new Date().toISOString(),
    ...changes,
  }
}

async function postHmac(url: string, body: Json): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(body))
  const signed = signHmac(bytes, SECRET, { names: NAMES, now: Date.now() / 1_000 })
  if (!signed.ok) throw new Error(signed.detail)
  const headers = { 'content-type': 'application/json', ...signed.headers }
  return (await fetch(url, { method: 'POST', headers, body: bytes })).status
}

async function postSigned(url: string, body: Json): Promise<Response> {
  const bytes = Buffer.from(JSON.stringify(body))
  const message = { method: 'POST', url, headers: { 'content-type': 'application/json' } }
  const now = Math.floor(Date.now() / 1_000)
  const signed = await signWebhook({ ...message, body: bytes }, NAMES, { signer: SIGNER, now })
  if (!signed.ok) throw new Error(signed.detail)
  const headers = { ...message.headers, ...signed.headers }
  return fetch(url, { method: 'POST', headers, body: bytes })
}

/** Another server on this machine. */
async function site(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A seller that publishes its key, at its own origin or where `jwks_uri` says. */
async function seller(jwks_uri?: string) {
  const origin: string = await site((request, response) => {
    const agents = [{ type: 'sales', id: 'a', url: `${origin}/agent`, jwks_uri }]
    if (request.url === '/.well-known/brand.json') response.end(JSON.stringify({ agents }))
    else if (request.url !== '/.well-known/jwks.json') response.writeHead(404).end()
    else response.end(JSON.stringify({ keys: [PAIR.publicJwk] }))
  })
  return { origin, agentUrl: `${origin}/agent` }
}

const linesOf = (file: string): Json[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((text) => JSON.parse(text) as Json)
    : []

describe('adwire receive', () => {
  test('spec 4.4: takes signed webhooks of a trusted seller, found through its brand.json', async () => {
    const { agentUrl } = await seller()
    const out = join(folder(), 'out')
    const args = ['--data', folder(), '--trust', agentUrl, '--out', out]
    const { url, output } = await receive(args)
    await eventually(() => expect(output.stdout.split('\n').length).toBeGreaterThan(3))
    expect(output.stdout.split('\n').slice(0, 3)).toEqual([
      `adwire receive listens on ${url}`,
      'keys are remembered for 48 hours, 1000000 of each sender at most',
      `trusts ${agentUrl}`,
    ])
    const body = envelope({ status: 'completed', operation_id: 'op', result: { ok: true } })
    expect((await postSigned(`${url}/hooks/any/sub/path?x=1`, body)).status).toBe(200)
    expect((await postSigned(`${url}/hooks/any`, body)).status).toBe(200)
    const { idempotency_key, task_id } = body
    const known = { sender: agentUrl, idempotency_key, task_id, operation_id: 'op' }
    await eventually(() => {
      expect(linesOf(out)).toEqual([
        { ...known, status: 'completed', applied: true, payload: body },
      ])
    })
    await eventually(() => {
      const reported = new RegExp(
        `^\\S+Z {2}${agentUrl} {2}completed {2}${task_id} {2}applied$`,
        'm',
      )
      expect(output.stdout).toMatch(reported)
      expect(output.stdout).toMatch(new RegExp(`${agentUrl} {2}- {2}${task_id} {2}duplicate$`, 'm'))
    })

    const forged = await fetch(`${url}/hooks/any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(envelope()),
    })
    expect(forged.status).toBe(401)
    expect(forged.headers.get('www-authenticate')).toMatch(/^Signature error="webhook_/)
  })

  test('spec 6.4: prints a message once, however often it comes', async () => {
    const out = join(folder(), 'out')
    const args = ['--data', folder(), '--hmac', `acme=${SECRET}`, '--out', out]
    const { url, output } = await receive(args)
    const [first, second] = [envelope(), envelope({ status: 'completed' })]
    for (const body of [first, first, first, second, second]) {
      expect(await postHmac(`${url}/hooks/acme`, body)).toBe(200)
    }
    const printed = ({ task_id }: Json, what: string) =>
      output.stdout.split('\n').filter((line) => line.endsWith(`  ${String(task_id)}  ${what}`))
    await eventually(() => {
      expect(printed(second, 'applied')).toHaveLength(1)
      // The repetitions are reported as duplicates.
      expect(printed(first, 'duplicate')).toHaveLength(2)
      expect(printed(second, 'duplicate')).toHaveLength(1)
    })
    expect(printed(first, 'applied')).toHaveLength(1)
    expect(output.stdout.match(/ {2}applied/g)).toHaveLength(2)
    const keys = [first, second].map(({ idempotency_key }) => idempotency_key)
    expect(
      linesOf(out)
        .map((line) => line.idempotency_key)
        .sort(),
    ).toEqual(keys.sort())
  })

  test('spec 5: a key set that a seller says is elsewhere on a private network is not fetched', async () => {
    let requested = 0
    const inner = await site((_request, response) => {
      requested += 1
      response.end(JSON.stringify({ keys: [PAIR.publicJwk] }))
    })
    const elsewhere = `${inner.replace('127.0.0.1', '127.0.0.2')}/jwks.json`
    const { agentUrl } = await seller(elsewhere)
    const { url } = await receive(['--data', folder(), '--trust', agentUrl])
    const answer = await postSigned(`${url}/hooks/a`, envelope())
    expect(answer.headers.get('www-authenticate')).toContain('webhook_signature_key_unknown')
    expect(requested).toBe(0)
    const named = await receive(['--data', folder(), '--trust', `${agentUrl}=${inner}/jwks.json`])
    expect((await postSigned(`${named.url}/hooks/a`, envelope())).status).toBe(200)
    expect(requested).toBe(1)
  })

  test('spec 6.4: a stale status is acknowledged, and its line says that it was not applied', async () => {
    const out = join(folder(), 'out')
    const args = ['--data', folder(), '--hmac', `acme=${SECRET}`, '--out', out]
    const { url } = await receive([...args, '--sender', 'acme=https://acme.example/agent'])
    const task_id = 't1'
    const late = envelope({ task_id, timestamp: '2026-01-01T00:00:00Z' })
    const end = envelope({ task_id, status: 'completed', timestamp: '2026-01-01T00:00:05Z' })
    for (const body of [end, late, end]) {
      expect(await postHmac(`${url}/hooks/acme`, body)).toBe(200)
      await eventually(() => expect(linesOf(out).length).toBeGreaterThan(0))
    }
    await eventually(() => {
      expect(linesOf(out)).toMatchObject([
        { sender: 'https://acme.example/agent', status: 'completed', applied: true },
        { status: 'working', applied: false, reason: 'stale', payload: late },
      ])
    })
    expect(linesOf(out)[0]).not.toHaveProperty('reason')
    expect(await postHmac(`${url}/hooks/another`, envelope())).toBe(401)
  })

  test('runs a command and forwards, and tries again until both succeed', async () => {
    const place = folder()
    const got: { key: unknown; body: Json }[] = []
    const target = await site((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += String(chunk)
      })
      request.on('end', () => {
        got.push({ key: request.headers['idempotency-key'], body: JSON.parse(text) as Json })
        response.writeHead(got.length === 1 ? 503 : 204).end()
      })
    })
    // Fails once: the second time the file is there.
    const command = `cat >> ${place}/seen; test -e ${place}/once || { touch ${place}/once; exit 3; }`
    const out = join(place, 'out')
    const { url } = await receive([
      '--data',
      folder(),
      '--hmac',
      `acme=${SECRET}`,
      '--out',
      out,
      '--exec',
      command,
      '--forward',
      `${target}/in`,
    ])
    const body = envelope()
    expect(await postHmac(`${url}/hooks/acme`, body)).toBe(200)
    await eventually(() => expect(linesOf(out)).toHaveLength(1))
    expect(got).toMatchObject([
      { key: body.idempotency_key, body: { payload: body, applied: true } },
      { key: body.idempotency_key, body: { payload: body } },
    ])
    expect(linesOf(`${place}/seen`)).toHaveLength(3)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toMatch(/^adwire_inbox_received_total\{outcome="accepted"\} 1$/m)
    expect(metrics).toMatch(/^adwire_inbox_applied_total\{outcome="failed"\} 2$/m)
    expect(metrics).toMatch(/^adwire_inbox_messages\{state="pending"\} 0$/m)
    expect(metrics).toMatch(/^adwire_inbox_oldest_due_seconds 0$/m)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
  })

  test('spec 6.4: killed again and again, it writes each acknowledged message once', async () => {
    const data = folder()
    const out = join(data, 'out')
    const acknowledged: string[] = []
    const args = ['--data', data, '--hmac', `acme=${SECRET}`, '--out', out]
    let port = '0'
    for (let round = 0; round < 4; round++) {
      const server = await receive(['--port', port, ...args])
      port = new URL(server.url).port
      const bodies = Array.from({ length: 60 }, () => envelope())
      // In the middle of them, each time a little later.
      let left = 1 + 12 * round
      await Promise.all(
        bodies.map(async (body) => {
          const status = await postHmac(`${server.url}/hooks/acme`, body).catch(() => 0)
          if (status !== 200) return
          acknowledged.push(String(body.idempotency_key))
          if (--left === 0) server.child.kill('SIGKILL')
        }),
      )
      server.child.kill('SIGKILL')
      await server.ended
    }
    expect(acknowledged.length).toBeGreaterThan(0)
    await receive(args)
    await eventually(
      () => {
        const keys = linesOf(out).map((line) => String(line.idempotency_key))
        expect(keys).toEqual(expect.arrayContaining(acknowledged))
      },
      { timeoutMs: 120_000 },
    )
    const keys = linesOf(out).map((line) => line.idempotency_key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('spec 6.4: killed between its line and the mark, it does not write the line again', async () => {
    const data = folder()
    const out = join(data, 'out')
    // The line appears, then the process dies: what it had claimed is looked for in that file.
    const args = ['--data', data, '--hmac', `acme=${SECRET}`, '--out', out]
    const first = await receive([...args, '--exec', `kill -9 ${'$PPID'}`])
    const body = envelope()
    await postHmac(`${first.url}/hooks/acme`, body).catch(() => 0)
    await first.ended
    const line = { sender: 'hmac:acme', idempotency_key: body.idempotency_key, applied: true }
    writeFileSync(out, `${JSON.stringify(line)}\n{"torn`)
    const second = await receive(args)
    await eventually(() => expect(second.output.stdout).toContain('applied (attempt 2)'), {
      timeoutMs: 120_000,
    })
    expect(linesOf(out)).toEqual([line])
  })

  test('instances on one PostgreSQL take each message once', async () => {
    const { url: databaseUrl, drop } = await emptyPostgres()
    onTestFinished(drop)
    const place = folder()
    const files = ['a', 'b'].map((name) => join(place, name))
    const both = await Promise.all(
      files.map((out) =>
        receive(['--database-url', databaseUrl, '--hmac', `acme=${SECRET}`, '--out', out]),
      ),
    )
    const bodies = Array.from({ length: 30 }, () => envelope())
    const statuses = await Promise.all(
      bodies.flatMap((body) => both.map(({ url }) => postHmac(`${url}/hooks/acme`, body))),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    const wanted = bodies.map((body) => body.idempotency_key).sort()
    await eventually(() => {
      const lines = files.flatMap(linesOf)
      expect(lines.map((line) => line.idempotency_key).sort()).toEqual(wanted)
    })
    for (const { child } of both) child.kill('SIGTERM')
    expect((await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([
      0, 0,
    ])
  })

  test('a second one on the same data folder says so and ends', async () => {
    const data = folder()
    await receive(['--data', data, '--hmac', `acme=${SECRET}`])
    const second = await adwire(['receive', '--port', '0', '--data', data])
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`is running on the data folder ${data}`)
  })

  test.each([
    [['--port', 'x'], '--port must be a whole number from 0 to 65535'],
    [['--retention-hours', '23'], '--retention-hours must be a whole number from 24 to 8760'],
    [['--hmac', 'acme'], '--hmac must be <route>=<secret>, such as --hmac acme=…'],
    [['--hmac', 'acme=short'], 'the route "acme": the secret is shorter than 32 bytes'],
    [['--trust', 'seller.example'], '--trust seller.example must be <agent-url>[=<jwks-url>]'],
    [
      ['--sender', 'acme=https://a.example/'],
      '--sender acme=https://a.example/ needs --trust https://a.example/',
    ],
    [['--forward', 'ftp://x'], '--forward must be a URL that begins with https:// or http://'],
    [['--protocol-name', 'X'], '--protocol-name must look like'],
    [['--bogus'], "unknown option '--bogus'"],
  ])('%j ends with 2 and one line', async (args, line) => {
    const { code, stdout, stderr } = await adwire(['receive', '--data', folder(), ...args])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.trimEnd().split('\n')[0]).toContain(`error: ${line}`)
  })
})
