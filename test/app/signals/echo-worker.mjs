// A worker for the tests of worker-calls: answers what it is told, waits, or dies.
import { parentPort } from 'node:worker_threads'

parentPort.on('message', (message) => {
  if (message.close) return parentPort.close()
  const { call, request } = message
  if (request === 'die') process.exit(3)
  if (request === 'refuse') {
    const error = { name: 'StorageUnavailable', message: 'the database is away' }
    return parentPort.postMessage({ call, error })
  }
  if (request !== 'wait') parentPort.postMessage({ call, answer: `heard ${request}` })
})
