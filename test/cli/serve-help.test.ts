import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/app/settings.ts'
import { serveCommand } from '../../src/cli/serve.ts'

const help = serveCommand().helpInformation()
const flags = Object.values(SETTINGS).map(({ flag }) => flag)

test('the help of serve begins with its ten main options', () => {
  const [, first = ''] = help.split('Main options:')
  const main = first.split('\n\n')[0] ?? ''
  expect(main.match(/^ {2}--[\w-]+/gm)?.map((flag) => flag.trim())).toEqual([
    '--host',
    '--port',
    '--data',
    '--database-url',
    '--public-url',
    '--protocol-name',
    '--demo',
    '--sandbox',
    '--key-secret',
    '--log-level',
  ])
})

test('the help of serve lists every setting once, under a heading', () => {
  const listed = help.match(/^ {2}--[\w-]+/gm)?.map((flag) => flag.trim().slice(2))
  expect(listed?.toSorted()).toEqual(flags.toSorted())
  expect(help.match(/^\S.*:$/gm)?.length).toBeGreaterThan(7)
})
