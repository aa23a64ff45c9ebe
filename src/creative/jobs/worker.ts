// The file that the processes of the workshop run.

import { serveJobs } from '../../lib/workshop/serve-jobs.ts'

await serveJobs(async () => (await import('./do-work.ts')).doWork)
