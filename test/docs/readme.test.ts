import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const README = readFileSync(`${ROOT}README.md`, 'utf8')

/** The commands of a section. */
function shellOf(heading: string): string {
  const section = README.split(/^## /m).find((one) => one.startsWith(heading)) ?? ''
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}

test('it has fewer than 150 lines', () => {
  expect(README.split('\n').length - 1).toBeLessThan(150)
})

test('what its commands write is not offered to git', () => {
  const written = ['.adwire/demo-key', '.adwire-receive/adwire.db', 'messages.jsonl']
  const ignored = execFileSync('git', ['check-ignore', ...written], { cwd: ROOT, encoding: 'utf8' })
  expect(ignored.trim().split('\n')).toEqual(written)
})

test('the task is called when the receiver is there, however fast one pastes', () => {
  const commands = shellOf('A buyer whom webhooks reach').split('\n')
  const at = (part: string) => commands.findIndex((line) => line.includes(part))
  const waits = at('until curl -sf http://127.0.0.1:8421/healthz')
  expect(at('adwire receive')).toBeLessThan(waits)
  expect(waits).toBeLessThan(at('/v3/simulate_task'))
})

test('the servers on PostgreSQL take no port of the demo or of the receiver', () => {
  const ports = [...shellOf('An operator on PostgreSQL').matchAll(/--port (\d+)/g)].map(
    ([, n]) => n,
  )
  expect(ports).toHaveLength(2)
  for (const taken of ['8420', '8421', '9000']) expect(ports).not.toContain(taken)
})
