import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { call } from '../support/call.ts'
import { eventually } from '../support/eventually.ts'
import { catchWebhooks } from '../support/webhook-catcher.ts'
import { bytesOf, compile, type Installed, installPackage, ROOT, run } from './install.ts'

const MIB = 1_048_576
const OWN = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
  exports: Record<string, unknown>
}

let installed: Installed
let isOffline = false
beforeAll(async () => {
  const got = await installPackage()
  if (got) installed = got
  else {
    isOffline = true
    console.error('NOT TESTED: the installed package, since npm can reach no packages from here')
  }
})
beforeEach((context) => context.skip(isOffline, 'npm can reach no packages'))
afterAll(() => installed?.remove())

const inPackage = (path: string) => join(installed.folder, 'node_modules/adwire', path)
const BIN = 'node_modules/.bin/adwire'

test('installed without development dependencies it takes less than 90 MB, besides fonts and native packages', () => {
  const modules = join(installed.folder, 'node_modules')
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? scoped(modules, name) : [name]))
  const mib = (name: string) => bytesOf(join(modules, name)) / MIB
  const sum = (chosen: readonly string[]) => chosen.reduce((total, name) => total + mib(name), 0)
  const fonts = names.filter((name) => name.startsWith('@fontsource-variable/'))
  expect(sum(fonts)).toBeGreaterThan(1)
  expect(sum(fonts)).toBeLessThan(30)
  // Their size differs from one processor and system to the next, and none of it is our choice.
  const natives = names.filter((name) => hasNativeCode(join(modules, name)))
  const others = names.filter((name) => !fonts.includes(name) && !natives.includes(name))
  expect(natives).toContain('@photostructure/sqlite')
  expect(sum(others)).toBeLessThan(90)
  expect(mib('adwire')).toBeLessThan(45)
  expect(installed.tarballBytes / MIB).toBeLessThan(40)
})

function scoped(modules: string, scope: string): string[] {
  return readdirSync(join(modules, scope)).map((name) => `${scope}/${name}`)
}

function hasNativeCode(folder: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((path) =>
    /\.(?:node|dylib|dll|so[.\d]*)$/.test(path),
  )
}

test('the tarball has the licences of what it carries of others, and neither sources nor tests', () => {
  const model = 'dist/signals/matching/model'
  for (const file of ['NOTICE', 'LICENSE-model.txt', 'LICENSE-onnxruntime.txt']) {
    expect(installed.files).toContain(`${model}/${file}`)
  }
  const notice = readFileSync(inPackage(`${model}/NOTICE`), 'utf8')
  const carried = installed.files.filter((path) => path.startsWith(`${model}/`))
  const named = carried.map((path) => path.slice(model.length + 1)).filter((n) => n !== 'NOTICE')
  expect(named).toHaveLength(8)
  for (const file of named) expect(notice).toContain(file)
  expect(installed.files.filter((path) => /^(?:src|test|bench|scripts)\//.test(path))).toEqual([])
})

test('the tarball has the programs and pages that its README and docs lead to', () => {
  for (const path of ['SECURITY.md', 'CONTRIBUTING.md', 'examples/media-buy/run.mjs']) {
    expect(installed.files).toContain(path)
  }
})

test('`adwire --version` says the version', async () => {
  const { code, stdout } = await run(process.execPath, [BIN, '--version'], {
    cwd: installed.folder,
  })
  expect([code, stdout]).toEqual([0, `${OWN.version}\n`])
})

describe('a server that was started from there', () => {
  test('finds signals with the sentence model, and says that it does', async () => {
    const { url, output } = await serve('data-with')
    expect((await call(`${url}/readyz`)).body).toMatchObject({
      status: 'ready',
      sentence_model: 'unused',
    })
    expect(await found(url)).toContain('Electric Vehicle Intenders')
    expect((await call(`${url}/readyz`)).body).toMatchObject({
      status: 'ready',
      sentence_model: 'used',
    })
    expect(output.stderr).not.toContain('sentence model')
  })

  test('says once at its start that it has no sentence model, and finds signals without', async () => {
    const weights = inPackage('dist/signals/matching/model/model_quantized.onnx.gz')
    renameSync(weights, `${weights}.away`)
    onTestFinished(() => renameSync(`${weights}.away`, weights))
    const { url, output } = await serve('data-without')
    expect(output.stderr.match(/without the sentence model/g)).toHaveLength(1)
    expect(output.stderr).toContain(`${weights} is missing: reinstall adwire`)
    expect(await found(url)).toContain('Electric Vehicle Intenders')
    expect((await call(`${url}/readyz`)).body).toMatchObject({
      status: 'ready',
      sentence_model: 'missing',
    })
    expect(output.stderr.match(/sentence model/g)).toHaveLength(1)
  })
})

/** The first answer may be late: while the model is loaded, a busy machine gives a search up. */
async function found(url: string): Promise<string[]> {
  const body = {
    signal_spec: 'folks about to swap their gas car for a Tesla',
    deliver_to: { deployments: [{ type: 'platform', platform: 'sandbox' }], countries: ['US'] },
  }
  const answer = await eventually(async () => {
    const got = await call(`${url}/v3/get_signals`, { body })
    expect(got.body).toMatchObject({ status: 'completed' })
    return got.body as { signals: { name: string }[] }
  })
  return answer.signals.slice(0, 3).map(({ name }) => name)
}

/** Nothing here needs it, and the model is loaded when it is requested. */
const LEAN = {
  ADWIRE_WORKER_POOL_PROCESSES: '1',
  ADWIRE_WARM_UP: 'false',
  ADWIRE_CONSOLE: 'false',
}

async function serve(data: string): Promise<{ url: string; output: { stderr: string } }> {
  const child: ChildProcess = spawn(
    process.execPath,
    [BIN, 'serve', '--demo', '--port', '0', '--data', data],
    { cwd: installed.folder, env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...LEAN } },
  )
  const output = { stdout: '', stderr: '' }
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += String(chunk)
  })
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk) => {
      output.stdout += String(chunk)
      if (/demo key: .*\n/.test(output.stdout)) resolve()
    })
  })
  await Promise.race([ready, ended])
  const url = /listens on (\S+)/.exec(output.stdout)?.[1]
  if (!url) throw new Error(`adwire serve did not start: ${output.stderr}`)
  return { url, output }
}

/** What a user writes: a program that uses every entry, and the example. Compiled once for all tests. */
let compiled: ReturnType<typeof compile> | undefined
function compilePrograms(): ReturnType<typeof compile> {
  const entries = Object.keys(OWN.exports).filter((entry) => !entry.endsWith('.json'))
  const names = entries.map((entry) => (entry === '.' ? 'adwire' : entry.slice('./'.length)))
  const program = [
    ...entries.map((entry, n) => `import * as ${names[n]} from 'adwire${entry.slice(1)}'`),
    "import about from 'adwire/package.json' with { type: 'json' }",
    `export const all = [${names.join(', ')}] as const`,
    'export const version: string = about.version',
  ]
  compiled ??= compile(installed.folder, {
    'program.ts': `${program.join('\n')}\n${USES}`,
    'server.ts': readFileSync(join(ROOT, 'examples/embedded-server/server.ts'), 'utf8'),
  })
  return compiled
}

test('a program in strict TypeScript imports every entry, and checks all declarations on the way', async () => {
  const { code, stdout } = await compilePrograms()
  expect([stdout, code]).toEqual(['', 0])
})

test('to import the front door does nothing: no file, no word, no server that keeps the process', async () => {
  const before = readdirSync(installed.folder)
  const { code, stdout, stderr } = await inNode("await import('adwire')")
  expect([code, stdout, stderr]).toEqual([0, '', ''])
  expect(readdirSync(installed.folder)).toEqual(before)
})

test('what no entry names cannot be imported', async () => {
  for (const path of ['dist/app/wire.js', 'dist/index.js', 'app/wire.js']) {
    const { stdout } = await inNode(
      `await import('adwire/${path}').catch(({ code }) => console.log(code))`,
    )
    expect([path, stdout]).toEqual([path, 'ERR_PACKAGE_PATH_NOT_EXPORTED\n'])
  }
})

const inNode = (code: string) =>
  run(process.execPath, ['--input-type=module', '-e', code], { cwd: installed.folder })

test('the example of an embedded server serves its task, activates by its connector and signs by its signer', async () => {
  expect((await compilePrograms()).code).toBe(0)
  const child = spawn(process.execPath, ['out/server.js'], {
    cwd: installed.folder,
    env: { PATH: process.env.PATH ?? '', ADWIRE_PORT: '0', ADWIRE_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown]
  const { url, key, health } = JSON.parse(String(line))
  expect(health).toEqual({ ready: true, reasons: [] })
  const greeted = await call(`${url}/v3/greet`, { key, body: { greeting: 'Salut' } })
  expect(greeted.body).toMatchObject({ status: 'completed', text: 'Salut, Adwire demo!' })

  const hook = await catchWebhooks()
  const activated = await call(`${url}/v3/activate_signal`, {
    key,
    body: {
      signal_agent_segment_id: 'motorlane-auto-ev-intenders',
      deployments: [{ type: 'platform', platform: 'the-trade-desk' }],
      push_notification_config: { url: hook.url, operation_id: 'op-1' },
    },
  })
  expect(activated.body).toMatchObject({ status: 'submitted' })
  const message = await hook.first
  expect(await hook.verify(message, url)).toMatchObject({ ok: true, keyid: 'kms-1' })
  expect(Buffer.from(message.body).toString()).toContain('"segment_id":"seg-')

  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
})

/** A little of each entry, so that a type that has become `any` is seen. */
const USES = `
export const app: Promise<adwire.App> = adwire.createApp(adwire.makeConfig({ port: 0 }))
// @ts-expect-error A port is a number.
export const config = adwire.makeConfig({ port: '0' })
export const profile: signing.SigningProfile = signing.webhookProfile({ tag: 'a', keyUse: 'b' })
export const code: protocol.ErrorCode = 'INVALID_REQUEST'
export const agent: client.AgentHandle = client.openAgent({ agentUrl: 'https://agent.example/mcp' })
export const found = agent.getSignals({ signal_spec: 'cars' })
// @ts-expect-error A specification is a text.
export const lost = agent.getSignals({ signal_spec: 7 })
export const storage: Promise<sender.SenderStorage> = sender.openSenderStorage({ dataDir: '.' })
// @ts-expect-error A number is no receiver.
export const listener = receiver.nodeHandler(7)
// @ts-expect-error There is no such code.
export const wrong: protocol.ErrorCode = 'NO_SUCH_CODE'
`
