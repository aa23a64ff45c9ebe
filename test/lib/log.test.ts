import { expect, test } from 'vitest'
import { createLog } from '../../src/lib/log.ts'

function logInto(level = 'info') {
  const lines: string[] = []
  const log = createLog({ level, destination: { write: (line: string) => lines.push(line) } })
  return { log, lines }
}

test('a line is one JSON object with the time and the level as a word', () => {
  const { log, lines } = logInto()
  log.warn({ route: '/healthz' }, 'slow')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    route: '/healthz',
    msg: 'slow',
  })
})

test('secrets are cut out by their names, at the top and up to two levels below', () => {
  const { log, lines } = logInto()
  const secrets = Object.fromEntries(
    ['authorization', 'cookie', 'set-cookie', 'key', 'secret', 'token', 'password'].map((name) => [
      name,
      `hush-${name}`,
    ]),
  )
  log.info({
    ...secrets,
    credentials: 'hush',
    databaseUrl: 'postgres://u:hush@db/x',
    headers: secrets,
    request: { headers: secrets },
    returned: 'yes',
  })
  expect(lines.join()).not.toContain('hush')
  expect(lines.join()).toContain('[redacted]')
  expect(lines.join()).toContain('"returned":"yes"')
})

test('lines below the level are not written', () => {
  const { log, lines } = logInto('error')
  log.info('quiet')
  expect(lines).toEqual([])
})
