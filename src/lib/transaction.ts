// A unit of work that several stores can join, so that a change and the event it causes commit
// together or not at all. What it is made of is known only to the storage that began it.

/** A transaction that has begun; stores that are handed it join it. */
export interface Transaction {
  /** The time by the database's clock, in milliseconds: the one clock all instances share. */
  now(): Promise<number>
  /** Tells the workers on `topic`, on every instance, to look for work once this has committed. */
  wake(topic: string): Promise<void>
}

/**
 * Runs `work` in a transaction: commits what it did when it returns, undoes it when it throws.
 * `work` may be run again after a serialisation failure, and must touch nothing but the stores.
 */
export type Transact = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>

/** For rules that begin a transaction of their own: they join the one that has begun. */
export function joining(tx: Transaction): Transact {
  return (work) => work(tx)
}

/** Wakes a worker without waiting for its next poll. Returns the way to stop listening. */
export type OnWake = (topic: string, listener: () => void) => () => void

/** The database is away, full or locked: nothing was accepted, and the caller may try again. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
}

/** The database file is damaged: trying again does not help. */
export class StorageDamaged extends StorageUnavailable {
  override readonly name = 'StorageDamaged'
}
