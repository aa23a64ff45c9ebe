import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { MessageLine } from '../../../src/app/receive/message-line.ts'
import { isWritten, openOutFile } from '../../../src/app/receive/out-file.ts'
import { folder } from '../../support/cli.ts'

const line = (idempotency_key: string, sender = 'https://seller.example'): MessageLine => ({
  sender,
  idempotency_key,
  task_id: 't',
  operation_id: null,
  status: 'working',
  applied: true,
  payload: { idempotency_key },
})

async function opened(path: string) {
  const file = await openOutFile(path)
  onTestFinished(() => file.close())
  return file
}

const keysIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((text) => (JSON.parse(text) as MessageLine).idempotency_key)

describe('the file of --out', () => {
  test('has a line for each message, however many come at once', async () => {
    const path = join(folder(), 'out')
    const file = await opened(path)
    const keys = Array.from({ length: 600 }, (_, index) => `key-${index}`)
    await Promise.all(keys.map((key) => file.append(line(key))))
    expect(keysIn(path)).toEqual(keys)
    expect(file.worker).toBe(`out:${path}`)
  })

  test('is for its owner alone, also where others could read it before', async () => {
    const path = join(folder(), 'out')
    writeFileSync(path, '', { mode: 0o644 })
    await opened(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['a torn line', `${JSON.stringify(line('a'))}\n{"sender":"https://se`, ['a', 'b']],
    ['a torn line longer than what is read at once', `{"${'x'.repeat(200_000)}`, ['b']],
    ['a whole line without its end', JSON.stringify(line('a')), ['b']],
    ['nothing torn', `${JSON.stringify(line('a'))}\n`, ['a', 'b']],
    ['nothing at all', '', ['b']],
  ])('continues after %s', async (_what, before, keys) => {
    const path = join(folder(), 'out')
    writeFileSync(path, before)
    const file = await opened(path)
    await file.append(line('b'))
    expect(keysIn(path)).toEqual(keys)
  })

  test('knows the lines it has by sender and key, and passes over what is torn', async () => {
    const path = join(folder(), 'out')
    const file = await opened(path)
    await file.append(line('a'))
    await file.append({ ...line('b'), payload: { idempotency_key: 'c', text: 'key "c"' } })
    appendFileSync(path, '{"sender":"https://seller.example","idempotency_key":"d"')
    expect(await isWritten(file.worker, line('a'))).toBe(true)
    expect(await isWritten(file.worker, line('a', 'https://other.example'))).toBe(false)
    expect(await isWritten(file.worker, line('c'))).toBe(false)
    expect(await isWritten(file.worker, line('d'))).toBe(false)
    expect(await isWritten(`out:${path}.missing`, line('a'))).toBe(false)
    expect(await isWritten('host:17', line('a'))).toBe(false)
  })
})
