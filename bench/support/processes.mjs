// Servers under measurement run in processes of their own, as in life.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
      const isTold = !args.includes('--demo') || output.includes('demo key: ')
      if (address && isTold) resolve({ child, host: address[1], port: Number(address[2]) })
    })
  })
}

/** Waits until a server says that it can be asked. */
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

export async function stopServer({ child }) {
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
