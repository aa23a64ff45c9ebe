// A worker process for the tests of the worker pool: it does what its request says.
import { serveJobs } from '../../../dist/lib/worker-pool/serve-jobs.js'

const held = []

await serveJobs(async () => async (request, report) => {
  switch (request.do) {
    case 'echo':
      return request.value
    case 'parts':
      for (const part of request.parts) report(part)
      return request.parts.length
    case 'environment':
      return { env: { ...process.env }, threads: process.env.UV_THREADPOOL_SIZE }
    case 'pid':
      return process.pid
    case 'throw':
      throw new RangeError('this cannot be done')
    case 'exit':
      process.exit(7)
      break
    case 'signal':
      process.kill(process.pid, request.signal)
      return new Promise(() => {})
    case 'loop':
      for (;;) held.length = 0
    case 'never':
      return new Promise(() => {})
    case 'eat-heap':
      for (;;) held.push({ eaten: held.length })
    case 'eat-memory':
      // Touched, or the system would not count it.
      for (;;) held.push(Buffer.alloc(8 * 1024 * 1024, held.length + 1))
  }
})
