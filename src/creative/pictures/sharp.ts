// The image library, configured for a process of the worker pool: one thread per picture, since the number of
// processes already matches the workload, and no caching between files of different users. Loaded nowhere else: its
// threads are the ones that flush the database.

import sharp, { type Sharp } from 'sharp'

sharp.concurrency(1)
sharp.cache(false)

export { type Sharp, sharp }
