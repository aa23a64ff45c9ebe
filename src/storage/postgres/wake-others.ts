// Notifies the other instances of changes after the commit. A NOTIFY inside a transaction would make commits wait for
// each other, so the notifications of many transactions share one separate statement; a lost one only delays work
// until the next poll.

export interface WakeOthers {
  /** Tells of these topics soon. */
  report(topics: Iterable<string>): void
  /** Waits for notifications in progress. */
  close(): Promise<void>
}

/** `notify` sends one wake-up; its errors can be ignored. */
export function createWakeOthers(notify: (topics: readonly string[]) => Promise<void>): WakeOthers {
  const waiting = new Set<string>()
  let sending: Promise<void> | undefined

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const topics = [...waiting]
      waiting.clear()
      await notify(topics).catch(() => {})
    }
    sending = undefined
  }

  return {
    report: (topics) => {
      for (const topic of topics) waiting.add(topic)
      if (waiting.size > 0) sending ??= Promise.resolve().then(send)
    },
    close: async () => {
      await sending
    },
  }
}
