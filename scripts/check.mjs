// Format, lint, types and dead code; each is run even when another fails.
import { spawnSync } from 'node:child_process'

const checks = [
  ['format and lint', 'biome', ['check', '.']],
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the console', 'tsc', ['-p', 'console/tsconfig.json']],
  ['dead code', 'knip', []],
  ['dead code in production', 'knip', ['--production']],
]
let failed = false
for (const [name, command, args] of checks) {
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(`check failed: ${name}`)
    failed = true
  }
}
process.exit(failed ? 1 : 0)
