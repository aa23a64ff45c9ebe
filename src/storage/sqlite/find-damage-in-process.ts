// Checks a database file in a separate process: a check cannot be interrupted, so one that takes too long is stopped
// by killing its process. When run from TypeScript sources, as in tests, the check runs in this process, since a
// separate one needs the compiled files.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Damage, type Depth, findDamage } from './integrity.ts'

const isCompiled = import.meta.url.endsWith('.js')

/** Lists every problem. `late` if it took longer than `timeoutMs`; without that, there is no time limit. */
export function findDamageInProcess(
  path: string,
  depth: Depth,
  timeoutMs?: number,
): Promise<Damage | 'late' | undefined> {
  if (!isCompiled) return Promise.resolve(findDamage(path, depth))
  return new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL('./check-process.js', import.meta.url))
    const child = spawn(process.execPath, [program, path, depth], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
    })
    const end = () => {
      child.kill('SIGKILL')
      resolve('late')
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      if (code !== 0) return reject(new Error(`the check of ${path} ended with code ${code}`))
      resolve((JSON.parse(text) as { damage: Damage | null }).damage ?? undefined)
    })
  })
}
