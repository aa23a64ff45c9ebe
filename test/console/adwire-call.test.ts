import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { adwireCallOf } from '../../console/src/curl.ts'

test('a copied call hands adwire exactly the call, whatever third parties wrote in it, and never a key', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((one) => !one.includes('\0'))
  fc.assert(
    fc.property(text, text, fc.jsonValue(), (url, task, params) => {
      const command = adwireCallOf({ url, task, params, transport: 'mcp', hasKey: true })
      expect(argumentsOf(command).slice(0, 8)).toEqual([
        'call',
        url,
        task,
        JSON.stringify(params),
        '--transport',
        'mcp',
        '--auth',
        '-',
      ])
    }),
    { numRuns: 60 },
  )
})

test('a copied call of an agent on this machine says that it may be reached', () => {
  const call = { task: 'get_products', params: {}, transport: 'http', hasKey: false }
  const near = argumentsOf(adwireCallOf({ ...call, url: 'http://127.0.0.1:8420' }))
  expect(near.slice(-3)).toEqual(['--transport', 'http', '--allow-private'])
  const far = argumentsOf(adwireCallOf({ ...call, url: 'https://agent.example' }))
  expect(far.at(-1)).toBe('http')
})

/** What a shell makes of the command. */
function argumentsOf(command: string): string[] {
  const script = `adwire() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}
