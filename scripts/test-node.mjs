// Runs the build, the checks and all tests on each supported line of Node, one after the other, with binaries from the
// npm package `node`. Flags: --lines 20,24 runs only these; everything after -- is passed to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/adwire-node')

const { values, positionals } = parseArgs({
  options: { lines: { type: 'string', default: '20,22,24,26' } },
  allowPositionals: true,
})
const results = values.lines.split(',').map((line) => testOn(line, positionals))
for (const { version, minutes, isOk } of results) {
  console.log(`Node ${version}: ${isOk ? 'passed' : 'FAILED'} in ${minutes} min`)
}
process.exitCode = results.every(({ isOk }) => isOk) ? 0 : 1

function testOn(line, filters) {
  const bin = binariesOf(line)
  const env = { ...process.env, PATH: bin + delimiter + process.env.PATH }
  const node = join(bin, 'node')
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.log(`\nNode ${version}`)
  const began = Date.now()
  const run = (...args) => spawnSync(node, args, { cwd: ROOT, env, stdio: 'inherit' }).status === 0
  const isOk =
    run('scripts/build.mjs') &&
    run('scripts/check.mjs') &&
    run('node_modules/vitest/vitest.mjs', 'run', ...filters)
  return { version, isOk, minutes: ((Date.now() - began) / 60_000).toFixed(1) }
}

/** The newest release of a line; installed again each time, so that a newer one is noticed. */
function binariesOf(line) {
  const folder = join(CACHE, line)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', `node@${line}`]
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  const bin = join(folder, 'node_modules/node/bin')
  if (status !== 0 || !existsSync(join(bin, 'node'))) {
    throw new Error(`npm could not install node@${line}`)
  }
  return bin
}
