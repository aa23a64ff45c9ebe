import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../../src/app/receive/run-command.ts'
import { folder } from '../../support/cli.ts'
import { eventually } from '../../support/eventually.ts'

const never = new AbortController().signal
const run = (command: string, input = '{}', timeoutMs = 10_000, signal = never) =>
  runCommand(command, input, { timeoutMs, signal })

test('a command reads the message, and ends well with 0', async () => {
  const file = join(folder(), 'read')
  await run(`cat > ${file}`, '{"a":1}')
  expect(readFileSync(file, 'utf8')).toBe('{"a":1}')
})

test('one that reads nothing of a large message is no fault', async () => {
  await run('true', 'x'.repeat(5_000_000))
})

test.each([
  ['exit 7', 'the command ended with exit code 7'],
  ['kill -9 $$', 'the command ended with SIGKILL'],
  ['adwire-no-such-command 2> /dev/null', 'the command ended with exit code 127'],
])('%s is a failure that says how it ended', async (command, message) => {
  await expect(run(command)).rejects.toThrow(message)
})

test('one that takes too long is killed, with what it started', async () => {
  const file = join(folder(), 'late')
  const slow = run(`(sleep 2; touch ${file}) & wait`, '{}', 100)
  await expect(slow).rejects.toThrow('the command did not end within 100 ms')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(existsSync(file)).toBe(false)
})

test('an abort kills it', async () => {
  const place = folder()
  const stop = new AbortController()
  const running = run(`touch ${place}/begun; sleep 30`, '{}', 60_000, stop.signal)
  const ended = expect(running).rejects.toThrow('the command ended with SIGKILL')
  await eventually(() => expect(existsSync(`${place}/begun`)).toBe(true))
  stop.abort()
  await ended
})
