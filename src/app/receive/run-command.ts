// Runs the command of `adwire receive --exec` for one message: the command gets the message's JSON on standard input,
// and its exit code says whether the message was applied.

import { spawn } from 'node:child_process'

export interface CommandOptions {
  /** Longest time it may take, in milliseconds. */
  timeoutMs: number
  signal: AbortSignal
}

/** Resolves when the command exits with 0; otherwise rejects with how it ended. */
export function runCommand(
  command: string,
  input: string,
  { timeoutMs, signal }: CommandOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Its output goes to standard error: our standard output has a line for each webhook.
    const stdio: ('pipe' | 2)[] = ['pipe', 2, 2]
    // In its own process group, so that whatever the shell started ends with it.
    const child = spawn(command, { shell: true, stdio, detached: true })
    let isLate = false
    const kill = () => {
      if (child.pid !== undefined && child.exitCode === null) killGroup(child.pid)
    }
    const timer = setTimeout(() => {
      isLate = true
      kill()
    }, timeoutMs)
    const end = (error?: Error) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
      if (error) reject(error)
      else resolve()
    }
    if (signal.aborted) kill()
    signal.addEventListener('abort', kill, { once: true })
    child.once('error', end)
    child.once('close', (code, killedBy) => {
      if (code === 0) return end()
      if (isLate) return end(new Error(`the command did not end within ${timeoutMs} ms`))
      end(new Error(`the command ended with ${killedBy ?? `exit code ${code}`}`))
    })
    // A command may ignore its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
