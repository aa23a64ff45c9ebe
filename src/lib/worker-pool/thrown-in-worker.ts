// Serializes an error between a worker and its parent: its name, message and stack, without any other properties.

import { defined } from '../defined.ts'
import type { ThrownInWorker } from './worker.ts'

export function thrownInWorker(error: unknown): ThrownInWorker {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined }
  const { name, message, stack } = error
  return { name, message, stack }
}

export function revived({ name, message, stack }: ThrownInWorker): Error {
  return Object.assign(new Error(message), { name, ...defined({ stack }) })
}
