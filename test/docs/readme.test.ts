// README.md as a newcomer uses it: pasted section by section into a real shell, in a copy of the tree. What it
// promises to print is what is printed.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CopiedTree, copyTree } from '../support/copied-tree.ts'
import { emptyPostgres } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { type Pasted, type Section, sectionsOf, unkept } from '../support/page-sections.ts'
import { openTerminal, type Terminal } from '../support/terminal.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const SECTIONS = sectionsOf(README).filter(({ pasted }) => pasted.length > 0)
const [START, ...ROLES] = SECTIONS as [Section, ...Section[]]
const DATABASE = 'postgres://adwire:secret@127.0.0.1:5432/adwire'

test('it has fewer than 150 lines', () => {
  expect(README.split('\n').length - 1).toBeLessThan(150)
})

test('each section has commands, and each command is followed by what it prints', () => {
  expect(SECTIONS.map(({ title }) => title)).toEqual([
    'Run it',
    'Look up a domain',
    'Register a manifest',
    'Call a task',
    'Build a creative',
    'Find an audience',
    'Receive webhooks',
    'Send webhooks',
    'Run several instances on PostgreSQL',
  ])
  for (const { pasted } of SECTIONS) {
    for (const { promises } of pasted) expect(promises.length).toBeGreaterThan(0)
  }
})

test('the task is called when the receiver is there, however fast one pastes', () => {
  const [pasted] = sectionsOf(README).find(({ title }) => title.startsWith('Receive'))?.pasted ?? []
  const commands = pasted?.commands.split('\n') ?? []
  const at = (part: string) => commands.findIndex((line) => line.includes(part))
  const waits = at('until curl -sf http://127.0.0.1:8421/healthz')
  expect(at('adwire receive')).toBeLessThan(waits)
  expect(waits).toBeLessThan(at('/v3/simulate_task'))
})

test('the servers on PostgreSQL take no port of the demo or of the receiver', () => {
  const commands = ROLES.at(-1)?.pasted[0]?.commands ?? ''
  const ports = [...commands.matchAll(/--port (\d+)/g)].map(([, port]) => port)
  expect(ports).toEqual(['8430', '8431'])
})

describe('pasted into a shell', () => {
  let tree: CopiedTree
  let database: Awaited<ReturnType<typeof emptyPostgres>>
  let adapted: (text: string) => string
  let server: Terminal
  let shell: Terminal

  beforeAll(async () => {
    tree = copyTree()
    database = await emptyPostgres()
    const ports = new Map<string, string>()
    for (const port of ['8420', '8421', '8430', '8431', '9000']) ports.set(port, await freePort())
    // The page says where things are in its commands, so they are put elsewhere in its text, here and only
    // here, and in what it promises too: a machine that runs tests may have a demo running.
    adapted = (text) =>
      text
        .replaceAll(DATABASE, database.url)
        .replace(/\b(8420|8421|8430|8431|9000)\b/g, (port) => ports.get(port) as string)
    // What a server does before the first request costs more here than all the requests.
    const lean = { ...tree.env, ADWIRE_WARM_UP: 'false', ADWIRE_WORKER_POOL_PROCESSES: '1' }
    // What `npm start` takes without saying so.
    const env = {
      ...lean,
      ADWIRE_PORT: adapted('8420'),
      ADWIRE_EGRESS_HOSTS: adapted('acme.example=http://127.0.0.1:9000'),
    }
    server = openTerminal(tree.folder, env)
    shell = openTerminal(tree.folder, lean)
  })

  afterAll(async () => {
    await Promise.all([server?.close(), shell?.close()])
    await database?.drop()
    tree?.remove()
  })

  /** Pastes, and waits until the promises are kept: some are of what runs on. */
  async function paste(terminal: Terminal, { commands, promises }: Pasted) {
    const before = terminal.output().length
    terminal.paste(adapted(commands))
    const kept = () => {
      const printed = terminal.output().slice(before)
      const [missing] = unkept(printed, promises.map(adapted))
      if (missing === undefined) return
      throw new Error(`not printed: ${missing}\nbut:\n${printed}\n${terminal.faults()}`)
    }
    await eventually(kept, { timeoutMs: 120_000 })
  }

  test(`${START.title}: it starts`, async () => {
    for (const pasted of START.pasted) await paste(server, pasted)
  })

  test.each(ROLES)('$title: it prints what is promised', async ({ pasted }) => {
    for (const one of pasted) await paste(shell, one)
  })

  test('Ctrl-C ends it, and git has nothing new to show', async () => {
    await shell.interrupt()
    await server.interrupt()
    // What the shell itself could not do, such as end a job that is not there.
    expect(shell.faults()).not.toMatch(/^bash: /m)
    expect(tree.git('status', '--porcelain')).toBe('')
  })
})

function freePort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(String(port)))
    })
  })
}
