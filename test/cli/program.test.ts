import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { GROUPS } from '../../src/cli/program.ts'

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const HOOK = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'
   register('data:text/javascript,' + encodeURIComponent(
     "export async function load(url, context, next) { process._rawDebug('loaded ' + url); return next(url, context) }"))`,
)}`

/** Runs the help of each command that is named, one after another, and says in between whose it is. */
const HELP = `
  import { run } from ${JSON.stringify(new URL('../../dist/cli/program.js', import.meta.url).href)}
  process.exit = () => { throw new Error('the help was printed') }
  for (const name of process.argv.slice(1)) {
    process._rawDebug('loaded file:// help of ' + name)
    await run(['node', 'adwire', name, '--help'])
  }
`

/** Modules that a process loads, its own and those of packages. */
function loadedBy(...args: string[]): string[] {
  const { stderr } = spawnSync(process.execPath, ['--import', HOOK, ...args], { encoding: 'utf8' })
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('loaded file:'))
    .map((line) => line.slice('loaded '.length))
}

test('a command says of itself what the list of commands says', async () => {
  for (const group of Object.values(GROUPS)) {
    for (const [name, { about, load }] of Object.entries(group)) {
      const command = await load()
      expect([command.name(), command.description()]).toEqual([name, about])
    }
  }
})

test('the version loads three modules of ours and no package', () => {
  const loaded = loadedBy(MAIN, '--version')
  const withoutDigest = (url: string) =>
    url.replace(/^.*\/dist\//, '').replace(/-[\w-]{8}\.js$/, '')
  expect(loaded.map(withoutDigest)).toEqual([
    'cli/main.js',
    'bundle/cli-program.js',
    'bundle/part-version',
  ])
})

test('the help of a command loads neither a database nor a schema', () => {
  const all = Object.values(GROUPS).flatMap((group) => Object.keys(group))
  // These two have the defaults of the receiver, which knows its messages by schemas.
  const names = all.filter((one) => !['receive', 'inbox'].includes(one))
  const loaded = loadedBy('--input-type=module', '--eval', HELP, ...names)
  const isHelp = (url: string) => url.startsWith('file:// help of ')
  expect(loaded.filter((url) => isHelp(url) || /node_modules\/(zod|pg|fastify)/.test(url))).toEqual(
    names.map((name) => `file:// help of ${name}`),
  )
  // What each of them has was loaded: the list would be as empty if nothing had run.
  const ofCommands = loaded.filter((url) => url.includes('/dist/bundle/'))
  expect(ofCommands.length).toBeGreaterThan(names.length)
})

test('help leads to the commands of a command', () => {
  const said = (...words: string[]) =>
    execFileSync(process.execPath, [MAIN, ...words], { encoding: 'utf8' })
  expect(said('help', 'keys', 'rotate')).toBe(said('keys', 'rotate', '--help'))
  expect(said('help', 'keys')).toBe(said('keys', '--help'))
})

test('--help shows the commands in groups', () => {
  const help = execFileSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' })
  const headings = Object.keys(GROUPS)
  expect(help.split('\n').filter((line) => headings.includes(line))).toEqual(headings)
})
