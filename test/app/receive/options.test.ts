import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  RECEIVE_DEFAULTS,
  type ReceiveFlags,
  readReceiveFlags,
  type SharedConfig,
} from '../../../src/app/receive/options.ts'

const SECRET = 'a secret of at least thirty-two bytes'

function routesOf(flags: Partial<ReceiveFlags>) {
  const lists = { trust: [], publisher: [], pin: [], hmac: [], bearer: [], sender: [], token: [] }
  const read = readReceiveFlags({ ...RECEIVE_DEFAULTS, ...lists, ...flags }, {} as SharedConfig)
  return read.ok ? read.config.routes : read.error
}

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}

describe('a secret of adwire receive', () => {
  test.each([
    ['without a line break', SECRET, SECRET],
    ['with one at its end', `${SECRET}\n`, SECRET],
    ['with one of Windows', `${SECRET}\r\n`, SECRET],
    ['of which only the last is cut off', `${SECRET}\n\n`, `${SECRET}\n`],
  ])('is read from a file %s', (_what, content, secret) => {
    expect(routesOf({ hmac: [`a=@${file(content)}`] })).toEqual([
      { name: 'a', mode: 'HMAC-SHA256', secret },
    ])
  })

  test('may come from a file for each of the flags, and a sender may not', () => {
    const path = file(`${SECRET.replaceAll(' ', '-')}\n`)
    const value = SECRET.replaceAll(' ', '-')
    expect(routesOf({ bearer: [`a=@${path}`], token: [`a=@${path}`], sender: ['a=@x'] })).toEqual([
      { name: 'a', mode: 'Bearer', credentials: value, token: value, sender: '@x' },
    ])
  })

  test('may still be given in the flag itself', () => {
    expect(routesOf({ hmac: [`a=${SECRET}@x`] })).toMatchObject([{ secret: `${SECRET}@x` }])
  })

  test('that cannot be read from its file is reported with flag, route and file', () => {
    const empty = file('\n')
    expect(routesOf({ hmac: ['a=@/no/such/file'] })).toBe(
      'the secret of --hmac a cannot be read from /no/such/file: there is no such file',
    )
    expect(routesOf({ bearer: [`b=@${empty}`] })).toBe(
      `the token of --bearer b is not in ${empty}: the file is empty`,
    )
    expect(routesOf({ token: ['c=@'] })).toBe('the token of --token c names no file behind the @')
    expect(routesOf({ token: ['c=@/'] })).toMatch(/cannot be read from \/: it is a folder$/)
    expect(routesOf({ token: [`c=@${file('x'.repeat(70_000))}`] })).toMatch(/larger than 65536/)
  })

  test('that is too short is refused without being displayed', () => {
    const returned = routesOf({ hmac: [`a=@${file('short-and-secret')}`] })
    expect(returned).toMatch(/the route "a"/)
    expect(returned).not.toContain('short-and-secret')
  })
})

test('3.2: keys are remembered for seven days where duplicates are checked strictly, unless configured otherwise', () => {
  const lists = { trust: [], publisher: [], pin: [], hmac: [], bearer: [], sender: [], token: [] }
  const hours = (webhookDuplicates: SharedConfig['webhookDuplicates'], flags = {}) => {
    const shared = { webhookDuplicates } as SharedConfig
    const read = readReceiveFlags({ ...RECEIVE_DEFAULTS, ...lists, ...flags }, shared)
    return read.ok ? read.config.retentionHours : read.error
  }
  expect([hours('first-wins'), hours('strict')]).toEqual([48, 168])
  expect(hours('strict', { retentionHours: '72' })).toBe(72)
})
