import { afterEach, expect, test } from 'vitest'
import { createWorkerCalls, type WorkerCalls } from '../../src/lib/worker-calls.ts'

let calls: WorkerCalls<string, string>
let faults: unknown[] = []

const open = (hangMs?: number) => {
  faults = []
  calls = createWorkerCalls<string, string>({
    url: new URL('./echo-worker.mjs', import.meta.url),
    workerData: new Int32Array(new SharedArrayBuffer(4)),
    onFault: (error) => faults.push(error),
    ...(hangMs === undefined ? {} : { hangMs }),
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

test('a worker that hangs is replaced: the call it was at is failed, the others are made again', async () => {
  const { call } = open(200)
  const later = call('later')
  const hung = call('hang')
  await expect(hung).rejects.toMatchObject({ name: 'ThreadHung' })
  expect(await later).toBe('heard later')
  expect(await call('again')).toBe('heard again')
  expect(faults).toHaveLength(1)
})

test('a worker that breaks at a call fails that one alone', async () => {
  const { call } = open()
  const later = call('later')
  await expect(call('break')).rejects.toThrow('ended with 4')
  expect(await later).toBe('heard later')
})

test('a call that sees one thread after the other end is failed in the end', async () => {
  const { call } = open()
  const waiting = call('wait')
  waiting.catch(() => {})
  for (let n = 0; n < 3; n++) await expect(call('break')).rejects.toThrow('ended with 4')
  await expect(waiting).rejects.toThrow('ended with 4')
})

test('a call that is aborted is rejected at once, and others are not', async () => {
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
