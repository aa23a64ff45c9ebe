// Servers under measurement run in processes of their own, as in life.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Starts a process and waits for the line that holds its address, and a demo for that of its key. */
export function startServer(args, env = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      output += chunk
      const address = /http:\/\/([\d.]+):(\d+)/.exec(output)
      const isReported = !args.includes('--demo') || output.includes('demo key: ')
      if (address && isReported) {
        const [, host, port] = address
        resolve({ child, host, port: Number(port), output: () => output })
      }
    })
  })
}

/** Waits until a server reports that it is ready for requests. */
export async function untilReady({ host, port }) {
  for (;;) {
    const answer = await fetch(`http://${host}:${port}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Resident memory of a process in MB, from /proc; NaN where there is none. */
export function residentMb(pid) {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kb) / 1_024
  } catch {
    return Number.NaN
  }
}

/** Processor time of a process so far in milliseconds, over all its threads; NaN where there is no /proc. */
export function cpuMs(pid) {
  try {
    const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6
  } catch {
    return Number.NaN
  }
}

/** The processes that a process has started and that are there. */
export function childrenOf(pid) {
  try {
    return readdirSync('/proc')
      .filter(isNumber)
      .map(Number)
      .filter((one) => parentOf(one) === pid)
  } catch {
    return []
  }
}

function isNumber(name) {
  return /^\d+$/.test(name)
}

/** The fourth field, counted from behind the name, which may hold anything. */
function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[1])
  } catch {
    return undefined
  }
}

export async function stopServer({ child }) {
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
