// The library for pictures, set for a process of the worker pool: one thread for each picture, since there
// are as many processes as there is work for, and nothing remembered between two strangers' files.
// Loaded nowhere else: its threads are those that flush the database.

import sharp, { type Sharp } from 'sharp'

sharp.concurrency(1)
sharp.cache(false)

export { type Sharp, sharp }
