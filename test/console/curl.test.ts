import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curlOf } from '../../console/src/curl.ts'

test('a copied command hands curl exactly the request, whatever third parties wrote in it', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((one) => !one.includes('\0'))
  const request = fc.record({
    url: text,
    headers: fc.array(fc.record({ name: fc.constant('x-a'), value: text }), { maxLength: 3 }),
    body: text,
  })
  fc.assert(
    fc.property(request, (given) => {
      expect(argumentsOf(curlOf(given))).toEqual([
        '--globoff',
        '--request',
        'POST',
        '--url',
        given.url,
        ...given.headers.flatMap(({ value }) => ['--header', `x-a: ${value}`]),
        '--data-raw',
        given.body,
      ])
    }),
    { numRuns: 60 },
  )
})

test('a copied command has no secret, and leaves to curl what curl writes itself', () => {
  const command = curlOf({
    url: 'https://buyer.example/',
    headers: [
      { name: 'Authorization', value: '', is_hidden: true },
      { name: 'Content-Length', value: '2' },
    ],
    body: "$(reboot) `reboot` 'quoted'",
  })
  expect(argumentsOf(command)).toEqual([
    '--globoff',
    '--request',
    'POST',
    '--url',
    'https://buyer.example/',
    '--header',
    'Authorization: <secret>',
    '--data-raw',
    "$(reboot) `reboot` 'quoted'",
  ])
})

/** What a shell makes of the command. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}
