import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { call } from '../support/call.ts'
import { eventually } from '../support/eventually.ts'
import { bytesOf, type Installed, installPackage, ROOT, run } from './install.ts'

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

test('installed without development dependencies it takes less than 150 MB', () => {
  expect(bytesOf(installed.folder) / MIB).toBeLessThan(150)
  expect(installed.tarballBytes / MIB).toBeLessThan(40)
})

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

test('`adwire --version` says the version', async () => {
  const { code, stdout } = await run(process.execPath, [BIN, '--version'], {
    cwd: installed.folder,
  })
  expect([code, stdout]).toEqual([0, `${OWN.version}\n`])
})

describe('a server that was started from there', () => {
  test('finds signals with the sentence model, and says that it does', async () => {
    const { url, output } = await serve('data-with')
    expect((await call(`${url}/readyz`)).body).toEqual({
      status: 'ready',
      sentence_model: 'unused',
    })
    expect(await found(url)).toContain('Electric Vehicle Intenders')
    expect((await call(`${url}/readyz`)).body).toEqual({ status: 'ready', sentence_model: 'used' })
    expect(output.stderr).not.toContain('sentence model')
  })

  test('says once at its start that it has no sentence model, and finds signals without', async () => {
    const weights = inPackage('dist/signals/matching/model/model_quantized.onnx')
    renameSync(weights, `${weights}.away`)
    onTestFinished(() => renameSync(`${weights}.away`, weights))
    const { url, output } = await serve('data-without')
    expect(output.stderr.match(/without the sentence model/g)).toHaveLength(1)
    expect(output.stderr).toContain(`${weights} is missing: install adwire anew`)
    expect(await found(url)).toContain('Electric Vehicle Intenders')
    expect((await call(`${url}/readyz`)).body).toEqual({
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

async function serve(data: string): Promise<{ url: string; output: { stderr: string } }> {
  const child: ChildProcess = spawn(
    process.execPath,
    [BIN, 'serve', '--demo', '--port', '0', '--data', data],
    { cwd: installed.folder, env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' } },
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

test('a program in strict TypeScript imports every entry, and checks all declarations on the way', async () => {
  const entries = Object.keys(OWN.exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => entry.slice('./'.length))
  const program = [
    ...entries.map((entry) => `import * as ${entry} from 'adwire/${entry}'`),
    "import about from 'adwire/package.json' with { type: 'json' }",
    `export const all = [${entries.join(', ')}] as const`,
    'export const version: string = about.version',
  ]
  writeFileSync(join(installed.folder, 'program.ts'), `${program.join('\n')}\n${USES}`)
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023'], module: 'nodenext', types: [] },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ skipLibCheck: false, noEmit: true },
  }
  const project = JSON.stringify({ compilerOptions, files: ['program.ts'] })
  writeFileSync(join(installed.folder, 'tsconfig.json'), project)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { code, stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: installed.folder })
  expect([stdout, code]).toEqual(['', 0])
})

/** A little of each entry, so that a type that has become `any` is seen. */
const USES = `
export const profile: signing.SigningProfile = signing.webhookProfile({ tag: 'a', keyUse: 'b' })
export const code: protocol.ErrorCode = 'INVALID_REQUEST'
export const storage: Promise<sender.SenderStorage> = sender.openSenderStorage({ dataDir: '.' })
// @ts-expect-error A number is no receiver.
export const listener = receiver.nodeHandler(7)
// @ts-expect-error There is no such code.
export const wrong: protocol.ErrorCode = 'NO_SUCH_CODE'
`
