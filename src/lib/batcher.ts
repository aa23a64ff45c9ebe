// Lets concurrent requests share one round trip: while one batch is in progress, the next one fills. A caller waits
// for at most one more trip than if it were alone, and a busy moment costs a few trips instead of hundreds.

export interface BatcherOptions<Item, Answer> {
  /** Returns a result for every item, in order. If it rejects, all callers waiting for this batch are rejected. */
  run: (items: readonly Item[]) => Promise<readonly Answer[]>
  /** Most items of one batch. */
  maxItems: number
  /**
   * Whether a batch waits until the event loop has delivered all pending input: for round trips so short that
   * otherwise each item would be sent separately. Default false.
   */
  gathersTurn?: boolean
}

export function createBatcher<Item, Answer>({
  run,
  maxItems,
  gathersTurn = false,
}: BatcherOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  interface Waiting {
    item: Item
    resolve(answer: Answer): void
    reject(error: unknown): void
  }
  let waiting: Waiting[] = []
  let isRunning = false

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      if (gathersTurn) await new Promise((resolve) => setImmediate(resolve))
      const batch = waiting.slice(0, maxItems)
      waiting = waiting.slice(maxItems)
      try {
        const answers = await run(batch.map(({ item }) => item))
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer)
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      // A microtask later, so that callers of the same tick share the first batch.
      void Promise.resolve().then(drain)
    })
}
