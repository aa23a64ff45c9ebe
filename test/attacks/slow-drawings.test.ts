// Drawings that are made to take long, sent to the built server by one or two principals, while others sync and
// build: each drawing is done or refused, and no one else waits for them. Bounds are so wide that only the fault
// trips them: each of these drawings takes the whole of the time that it is given.

import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call } from '../support/call.ts'
import { end, lastingFolder, type Server, serveLasting } from '../support/cli.ts'
import { emptyPostgres } from '../support/databases.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const MOST_WAIT_MS = 20_000
const FORMAT = 'display_300x250_image'

const times = (count: number, one: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join('')
const svgOf = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">${content}</svg>`
/** Twenty steps that go over every pixel with a large kernel. */
const filtered = (n: number) =>
  svgOf(
    `<filter id="f">${times(20, (step) => `<feMorphology operator="dilate" radius="${40 + ((step + n) % 7)}"/>`)}</filter>
     <rect width="1000" height="1000" filter="url(#f)"/>`,
  )
/** The same where no estimate sees it: the filter is referred to by an escaped name. */
const hidden = (n: number) =>
  svgOf(
    `<style>rect{\\66 ilter:url(#f)}</style><filter id="f">${'<feMorphology radius="40"/>'.repeat(20)}</filter>
     <rect width="1000" height="${1_000 - n}"/>`,
  )
/** Lines that cross each other by the million. */
const crossing = (n: number) =>
  svgOf(
    `<path fill="none" stroke="red" d="M0 ${n}${times(40_000, (at) => `L${(at * 37 + n) % 1_000} ${(at * 91) % 1_000}`)}"/>`,
  )

interface Attacked {
  url: string
  server: Server
  keys: Record<'mallory' | 'trudy' | 'alice' | 'bob', string>
  stop(): Promise<void>
}

async function startAttacked(
  store: 'sqlite' | 'postgres',
  env: Record<string, string> = {},
): Promise<Attacked> {
  const folder = lastingFolder()
  const database = store === 'postgres' ? await emptyPostgres() : undefined
  const where: Record<string, string> = database ? { ADWIRE_DATABASE_URL: database.url } : {}
  const server = await serveLasting(['--data', folder.path], {
    ADWIRE_WORKER_POOL_PROCESSES: '3',
    ADWIRE_TASKS_PER_MINUTE: '1000000',
    ADWIRE_LOG_LEVEL: 'fatal',
    ...where,
    ...env,
  })
  const key = (name: string) => {
    const args = [MAIN, 'principals', 'create', name, '--json', '--data', folder.path]
    const said = execFileSync(process.execPath, args, { env: where, encoding: 'utf8' })
    return (JSON.parse(said) as { key: string }).key
  }
  const attacked: Attacked = {
    url: server.url,
    server,
    keys: { mallory: key('Mallory'), trudy: key('Trudy'), alice: key('Alice'), bob: key('Bob') },
    stop: async () => {
      await end(server)
      await database?.drop()
      folder.remove()
    },
  }
  // A process takes seconds to start on a busy machine, and that is not what is measured.
  const { alice, bob } = attacked.keys
  await Promise.all([sync(attacked, alice), build(attacked, bob, {}), build(attacked, alice, {})])
  return attacked
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (store) => {
  let attacked: Attacked
  beforeAll(async () => {
    attacked = await startAttacked(store)
  })
  afterAll(() => attacked.stop())

  test('six logos of one principal with twenty filter steps each are left out, and no one waits for them', async () => {
    const { mallory } = attacked.keys
    const builds = await beside(attacked, (n) => buildWithLogo(attacked, mallory, filtered(n)), 6)
    for (const { text } of builds) {
      expect(text).toContain('the logo was left out: it is an SVG that is too complex to draw')
      expect(text).toContain('an SVG may take at most 100')
    }
  })

  test('slow logos of two principals are ended after 2 s, and no one waits for them', async () => {
    const { mallory, trudy } = attacked.keys
    const owners = [mallory, trudy]
    const builds = await beside(
      attacked,
      (n) => buildWithLogo(attacked, owners[n % 2] as string, n < 4 ? hidden(n) : crossing(n)),
      8,
    )
    for (const { text } of builds) expect(text).toContain('takes more than 2 s to draw')
    const ended = await metric(
      attacked,
      'adwire_worker_pool_processes_ended_total{reason="too_long"}',
    )
    expect(ended).toBeGreaterThanOrEqual(8)
  })

  test('a file that was refused or ended is not tried again', async () => {
    const { alice } = attacked.keys
    const ended = () =>
      metric(attacked, 'adwire_worker_pool_processes_ended_total{reason="too_long"}')
    for (const svg of [filtered(0), hidden(0), crossing(5)]) {
      // Refused before by another principal, or now.
      await buildWithLogo(attacked, alice, svg)
      const before = await ended()
      expect((await buildWithLogo(attacked, alice, svg)).text).toContain('the logo was left out')
      expect(await ended()).toBe(before)
    }
    const remembered = 'adwire_svg_refused_total{reason="remembered"}'
    expect(await metric(attacked, remembered)).toBeGreaterThanOrEqual(3)
  })

  test('the time jobs waited is reported by class', async () => {
    const waited = 'adwire_worker_pool_wait_seconds_count{kind='
    expect(await metric(attacked, `${waited}"check",class="small"}`)).toBeGreaterThan(0)
    expect(await metric(attacked, `${waited}"svg",class="long"}`)).toBeGreaterThan(0)
  })
})

describe.each(['1', '2'])('with ADWIRE_WORKER_POOL_PROCESSES=%s', (processes) => {
  let attacked: Attacked
  beforeAll(async () => {
    attacked = await startAttacked('sqlite', { ADWIRE_WORKER_POOL_PROCESSES: processes })
  })
  afterAll(() => attacked.stop())

  test('a job waits for one slow drawing at most', async () => {
    const { mallory, trudy } = attacked.keys
    const owners = [mallory, trudy]
    const builds = await beside(
      attacked,
      (n) => buildWithLogo(attacked, owners[n % 2] as string, hidden(n)),
      4,
      // A build is some four jobs, one after the other.
      processes === '1' ? 4 * MOST_WAIT_MS : MOST_WAIT_MS,
    )
    for (const { text } of builds) expect(text).toContain('the logo was left out')
  })
})

/** The answers to `count` builds at once, while others sync and build all the time. */
async function beside(
  attacked: Attacked,
  attack: (n: number) => Promise<Answer>,
  count: number,
  mostBuildMs = MOST_WAIT_MS,
): Promise<Answer[]> {
  let isOver = false
  const attacks = Promise.all(Array.from({ length: count }, (_, n) => attack(n))).finally(() => {
    isOver = true
  })
  const { alice, bob } = attacked.keys
  const others = [() => sync(attacked, alice), () => build(attacked, bob, {})].map(async (once) => {
    let longestMs = 0
    do {
      const began = performance.now()
      const { status, text } = await once()
      expect([status, text]).toEqual([200, expect.any(String)])
      longestMs = Math.max(longestMs, performance.now() - began)
      await pause(20)
    } while (!isOver)
    return longestMs
  })
  const [answers, syncMs, buildMs] = await Promise.all([attacks, ...others])
  expect(syncMs).toBeLessThan(MOST_WAIT_MS)
  expect(buildMs).toBeLessThan(mostBuildMs)
  for (const { status, text } of answers) expect([status, text]).toEqual([200, expect.any(String)])
  return answers
}

let number = 0

function sync({ url }: Attacked, key: string): Promise<Answer> {
  number += 1
  const creative = {
    creative_id: `c${number}`,
    name: `Creative ${number}`,
    format_id: { agent_url: url, id: FORMAT },
    assets: {
      banner_image: {
        asset_type: 'image',
        url: 'https://cdn.example/a.png',
        width: 300,
        height: 250,
      },
      click_url: { asset_type: 'url', url: 'https://acme.example/' },
    },
  }
  return call(`${url}/v3/sync_creatives`, { key, body: { creatives: [creative] } })
}

function buildWithLogo(attacked: Attacked, key: string, svg: string): Promise<Answer> {
  const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return build(attacked, key, { logos: [{ url }] })
}

/** To its end, also where the call does not wait for it. */
async function build({ url }: Attacked, key: string, brand: object): Promise<Answer> {
  number += 1
  const brand_manifest = { name: 'Acme', url: 'https://acme.example', ...brand }
  let answer = await call(`${url}/v3/build_creative`, {
    key,
    body: {
      message: `Shoes ${number}`,
      target_format_id: { agent_url: url, id: FORMAT },
      promoted_offerings: { brand_manifest },
    },
  })
  const { task_id } = answer.body
  while (['submitted', 'working'].includes(String(answer.body.status))) {
    await pause(50)
    const body = { task_id, include_result: true }
    answer = await call(`${url}/v3/get_task_status`, { key, body })
  }
  return answer
}

async function metric({ url }: Attacked, name: string): Promise<number> {
  const { text } = await call(`${url}/metrics`)
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}
