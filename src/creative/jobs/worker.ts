// The file that the processes of the worker pool run. The drawing code is loaded while the process is idle; if it
// cannot be loaded, only pictures fail.

import { serveJobs } from '../../lib/worker-pool/serve-jobs.ts'

await serveJobs(async () => (await import('./do-work.ts')).doWork)
await import('../pictures/draw-picture.ts').catch(() => {})
