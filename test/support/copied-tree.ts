// A copy of this repository in a folder of its own, as a clone has it after `npm ci` and `npm run build`:
// both are done already, and linked. `npm` there does neither again, and runs the script `start` as it stands
// in package.json.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DONE = ['node_modules', 'dist']

export interface CopiedTree {
  folder: string
  /** For a shell in it, and nothing of this process but its PATH. */
  env: Record<string, string>
  git(...args: string[]): string
  remove(): void
}

const NPM = `#!/bin/sh
case "$*" in
  ci | 'run build' | 'run --silent build') ;;
  start) exec sh -c "$(node -p 'require("./package.json").scripts.start')" ;;
  *) echo "npm $* is not expected here" >&2; exit 1 ;;
esac
`

export function copyTree(): CopiedTree {
  const place = mkdtempSync(join(tmpdir(), 'adwire-tree-'))
  const [folder, home, bin] = ['adwire', 'home', 'bin'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  for (const one of [folder, home, bin]) mkdirSync(one)
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 })
  // Each answer on a line of its own, as promises are. A busy response (503) is retried, as it requests.
  writeFileSync(join(home, '.curlrc'), 'write-out = "\\n"\nretry = 3\nretry-delay = 1\n')
  const env = { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: home, NO_COLOR: '1' }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })

  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((one) => one !== '' && !DONE.includes(one))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
  for (const done of DONE) symlinkSync(join(ROOT, done), join(folder, done))
  git('init', '--quiet')
  // A link is no folder, which is what .gitignore names.
  writeFileSync(join(folder, '.git/info/exclude'), DONE.map((done) => `/${done}\n`).join(''))
  git('add', '--all')
  git('commit', '--quiet', '--message', 'the tree')
  return { folder, env, git, remove: () => rmSync(place, { recursive: true, force: true }) }
}
