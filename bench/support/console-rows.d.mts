import type { Storage } from '../../src/app/open-storage.ts'

/** The task, operation, buy and key of which something is always found. */
export const SOME: Readonly<Record<'task' | 'operation' | 'buy' | 'key', string>>
/** Of each kind `rows`, in a store that has none yet. */
export function fillConsole(
  storage: Pick<Storage, 'transact' | 'database'>,
  rows: number,
): Promise<void>
