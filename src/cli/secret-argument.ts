// A secret as the value of a flag: the secret itself, `@file`, or `-` for standard input, so that it does not appear
// in the history of a shell or in the list of processes. At a terminal the user is prompted for it without echo.

import { readFileSync, statSync } from 'node:fs'
import { CommandError } from './exit-codes.ts'
import { readStdin } from './input-text.ts'
import { UsageError } from './terminal.ts'

const MAX_BYTES = 8_192

export async function readSecret(flag: string, given: string): Promise<string> {
  const text =
    given === '-'
      ? await fromInput(flag)
      : given.startsWith('@')
        ? fromFile(flag, given.slice(1))
        : given
  const secret = text.trim()
  if (secret === '')
    throw new UsageError(`${flag} is empty: give a value, @file, or - for standard input`)
  if (Buffer.byteLength(secret) > MAX_BYTES)
    throw new UsageError(`${flag} is longer than ${MAX_BYTES} bytes`)
  if (!/^[\x20-\x7e]+$/.test(secret)) {
    throw new UsageError(`${flag} must be one line of ASCII characters`)
  }
  return secret
}

function fromFile(flag: string, file: string): string {
  try {
    if (statSync(file).size <= MAX_BYTES) return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`cannot read ${flag} from ${file}: give the path of a file`)
  }
  throw new UsageError(`${flag} is longer than ${MAX_BYTES} bytes in ${file}`)
}

function fromInput(flag: string): Promise<string> {
  return process.stdin.isTTY ? ask(flag) : readStdin(flag, MAX_BYTES)
}

/** Reads input without echo, up to the end of the line. */
function ask(flag: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(`${flag}: `)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = (settle: () => void) => {
      stdin.off('data', take)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      settle()
    }
    const take = (chunk: string) => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n' || character === '\u0004') {
          return end(() => resolve(typed))
        }
        if (character === '\u0003') {
          return end(() => reject(new CommandError('interrupted', 'interrupted')))
        }
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character
      }
    }
    stdin.on('data', take)
  })
}
