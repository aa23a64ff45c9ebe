import pc from 'picocolors'
import { expect, test } from 'vitest'
import { isPretty, openLog } from '../../src/app/open-log.ts'
import { prettyLine } from '../../src/app/pretty-line.ts'

const PLAIN = pc.createColors(false)

/** What a person sees of these, without the time. */
function returned(write: (log: ReturnType<typeof openLog>) => void): string[] {
  const lines: string[] = []
  const screen = { write: (text: string) => lines.push(text) }
  write(openLog({ logLevel: 'info', logFormat: 'pretty' }, screen))
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))
}

const call = { duration_ms: 12.4, principal_id: 'prn_1', outcome: 'completed' }
const request = { request_id: 'r', method: 'POST', status: 200, duration_ms: 12.4 }

test('a call is one line, whatever transport it came over', () => {
  const lines = returned((log) => {
    log.info({ ...call, task: 'get_signals', transport: 'http' }, 'task')
    log.info({ ...request, route: '/v3/get_signals' }, 'request')
    log.info({ ...call, task: 'get_signals', transport: 'mcp' }, 'task')
    log.info({ ...request, route: '/mcp' }, 'request')
    log.info({ ...request, route: '/a2a', status: 401 }, 'request')
  })
  expect(lines).toEqual([
    ' POST /v3/get_signals  200  12 ms\n',
    ' mcp get_signals  completed  12 ms\n',
    ' POST /a2a  401  12 ms\n',
  ])
})

test('anything else is its level, its words and its fields, and no secret', () => {
  const lines = returned((log) => {
    log.warn({ err: new Error('no\nroute'), key: 'adw_secret', about: 'x\u001b[2J' }, 'it broke')
    log.debug('unseen')
  })
  expect(lines).toEqual(['warn it broke (no?route) key=[redacted] about=x?[2J\n'])
})

test('colours distinguish good from bad', () => {
  const colors = pc.createColors(true)
  const time = '2026-01-01T00:00:00Z'
  const line = (status: number) =>
    prettyLine(JSON.stringify({ ...request, time, route: '/x', status, msg: 'request' }), colors)
  expect(line(200)).toContain(colors.green('200'))
  expect(line(500)).toContain(colors.red('500'))
  expect(prettyLine(JSON.stringify({ level: 'warn', time, msg: 'x' }), PLAIN)).toMatch(/ warn x$/)
})

test('auto is for people at a terminal, and for machines elsewhere', () => {
  const [tty, pipe] = [{ isTTY: true }, {}]
  expect([tty, pipe].map((screen) => isPretty({ logFormat: 'auto' }, screen))).toEqual([
    true,
    false,
  ])
  expect([tty, pipe].map((screen) => isPretty({ logFormat: 'json' }, screen))).toEqual([
    false,
    false,
  ])
  expect(isPretty({ logFormat: 'pretty' }, pipe)).toBe(true)
})
