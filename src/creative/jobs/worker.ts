// The file that the processes of the worker pool run. What draws pictures is loaded while there is nothing
// else to do yet; where it cannot be loaded, only pictures fail.

import { serveJobs } from '../../lib/worker-pool/serve-jobs.ts'

await serveJobs(async () => (await import('./do-work.ts')).doWork)
await import('../pictures/draw-picture.ts').catch(() => {})
