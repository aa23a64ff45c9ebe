// Format, lint, types and dead code; each is run even when another fails, two at a time, and each says what it found in
// one piece.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

// The slowest first.
const checks = [
  ['dead code', 'knip', []],
  ['dead code in production', 'knip', ['--production']],
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the console', 'tsc', ['-p', 'console/tsconfig.json']],
  ['format and lint', 'biome', ['check', '.']],
]
let failed = false

async function lane() {
  for (let next = checks.shift(); next; next = checks.shift()) {
    const [name, command, args] = next
    const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const said = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => said.push(chunk))
    const [code] = await once(child, 'close')
    process.stdout.write(Buffer.concat(said))
    if (code === 0) continue
    console.error(`check failed: ${name}`)
    failed = true
  }
}

await Promise.all([lane(), lane()])
process.exitCode = failed ? 1 : 0
