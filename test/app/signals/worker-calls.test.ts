import { afterEach, expect, test } from 'vitest'
import { createWorkerCalls, type WorkerCalls } from '../../../src/app/signals/worker-calls.ts'

let calls: WorkerCalls<string, string>

const open = () => {
  calls = createWorkerCalls<string, string>({
    url: new URL('./echo-worker.mjs', import.meta.url),
    workerData: null,
    onFault: () => {},
  })
  return calls
}

afterEach(() => calls.close())

test('each call gets its own answer', async () => {
  const { call } = open()
  expect(await Promise.all(['a', 'b', 'c'].map((one) => call(one)))).toEqual([
    'heard a',
    'heard b',
    'heard c',
  ])
})

test('an error keeps its name and its words', async () => {
  await expect(open().call('refuse')).rejects.toMatchObject({
    name: 'StorageUnavailable',
    message: 'the database is away',
  })
})

test('a worker that dies fails its calls, and the next call starts another', async () => {
  const { call } = open()
  const waiting = call('wait')
  const dying = call('die')
  await expect(waiting).rejects.toThrow('ended with 3')
  await expect(dying).rejects.toThrow('ended with 3')
  expect(await call('again')).toBe('heard again')
})

test('a call that is given up is refused at once, and others are not', async () => {
  const { call } = open()
  const leaving = new AbortController()
  const waiting = call('wait', leaving.signal)
  leaving.abort(new Error('the caller has gone'))
  await expect(waiting).rejects.toThrow('the caller has gone')
  expect(await call('still')).toBe('heard still')
})

test('after it was closed nothing is called any more', async () => {
  const { call, close } = open()
  await call('a')
  await close()
  await expect(call('b')).rejects.toThrow('closed')
})
