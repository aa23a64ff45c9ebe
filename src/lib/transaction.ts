// A unit of work that several stores can join, so that a change and the event it causes commit together or not at
// all. Only the storage that began it knows its internals.

/** An open transaction; stores that receive it join it. */
export interface Transaction {
  /** The database clock's time, in milliseconds: the only clock that all instances share. */
  now(): Promise<number>
  /** Wakes the workers on `topic`, on every instance, once this has committed. */
  wake(topic: string): Promise<void>
}

/**
 * Runs `work` in a transaction: commits when it returns, rolls back when it throws. `work` may be run again after a
 * serialisation failure, and must not touch anything but the stores.
 */
export type Transact = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** For rules that begin their own transaction: they join the one that is already open. */
export function joining(tx: Transaction): Transact {
  return (work) => work(tx)
}

/** Wakes a worker without waiting for its next poll. Returns the function that unsubscribes. */
export type OnWake = (topic: string, listener: () => void) => () => void

/** The database is unavailable, full or locked: nothing was accepted, and the caller may retry. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
}

/** The database file is damaged: retrying does not help. */
export class StorageDamaged extends StorageUnavailable {
  override readonly name = 'StorageDamaged'
}
