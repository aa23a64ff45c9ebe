// Normal calls of another commit beside this build: the way to see that something became slower.
// Flags: --commit NAME, and those of compare
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run as compare } from './compare.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Not below node_modules, where Vite does not read the settings of the console. */
const CACHE = join(tmpdir(), 'adwire-bench-against')

export async function run([commit, ...flags]) {
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`)
  const folder = join(CACHE, hash)
  const cli = join(folder, 'dist/cli/main.js')
  if (!existsSync(cli)) build(hash, folder)
  console.log(`beside ${hash.slice(0, 8)}`)
  await compare(['--cli', cli, ...flags])
}

/** With its own dependencies where they differ, otherwise with those that are installed here. */
function build(hash, folder) {
  rmSync(folder, { recursive: true, force: true })
  git('clone', '--quiet', '--shared', '--no-checkout', ROOT, folder)
  git('-C', folder, 'checkout', '--quiet', '--detach', hash)
  const at = { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] }
  try {
    if (git('diff', '--name-only', hash, 'HEAD', '--', 'package-lock.json') === '') {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    } else {
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], at)
    }
    execFileSync('npm', ['run', '--silent', 'build'], at)
  } catch (error) {
    // Half a build would be measured the next time.
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}
