// A worker for the tests of worker-calls: answers what it receives, waits, dies, or stops responding.
import { parentPort, workerData } from 'node:worker_threads'

const { pulse, workerData: starts } = workerData
Atomics.add(starts, 0, 1)
Atomics.add(pulse, 0, 1)
setInterval(() => Atomics.add(pulse, 0, 1), 10).unref()

parentPort.on('message', (message) => {
  if (message.close) return parentPort.close()
  const { call, request } = message
  if (request === 'die') process.exit(3)
  if (request === 'refuse') {
    const error = { name: 'StorageUnavailable', message: 'the database is away' }
    return parentPort.postMessage({ call, error })
  }
  if (request === 'hang' || request === 'break') {
    Atomics.store(pulse, 1, call)
    if (request === 'break') process.exit(4)
    for (;;) Atomics.load(pulse, 1)
  }
  // The first thread never answers it, the next one does.
  if (request === 'later' && Atomics.load(starts, 0) === 1) return
  if (request !== 'wait') parentPort.postMessage({ call, answer: `heard ${request}` })
})
