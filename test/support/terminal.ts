// A terminal: a bash that what is written to it is pasted into. Everything it starts ends with it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Terminal {
  /** All that was printed so far. */
  output(): string
  /** What was printed to standard error. */
  faults(): string
  paste(commands: string): void
  /** As Ctrl-C does, to everything that runs in it; resolves when it has ended. */
  interrupt(): Promise<void>
  close(): Promise<void>
}

export function openTerminal(cwd: string, env: Record<string, string>): Terminal {
  const bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env, detached: true })
  let output = ''
  let faults = ''
  bash.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  bash.stderr.on('data', (chunk) => {
    faults += String(chunk)
  })
  const ended = once(bash, 'close')
  const signal = (name: NodeJS.Signals) => {
    try {
      if (bash.pid !== undefined) process.kill(-bash.pid, name)
    } catch {
      // Nothing is left of it.
    }
  }
  return {
    output: () => output,
    faults: () => faults,
    paste: (commands) => {
      bash.stdin.write(commands)
    },
    interrupt: async () => {
      bash.stdin.end()
      signal('SIGINT')
      await ended
    },
    close: async () => {
      signal('SIGKILL')
      await ended
    },
  }
}
