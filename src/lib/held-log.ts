// A log that buffers its messages until it is released: what a server finds at startup is useful once it listens,
// and only hides the reason when it cannot.

import type { Log } from './log.ts'

export interface HeldLog {
  log: Pick<Log, 'info' | 'warn'>
  /** Writes the buffered messages, and all later ones immediately. */
  letGo(): void
}

export function holdLog(log: Pick<Log, 'info' | 'warn'>): HeldLog {
  let kept: (() => void)[] | undefined = []
  const report =
    (level: 'info' | 'warn') =>
    (...words: [object | string, string?]) => {
      const say = () => log[level](...(words as [object, string?]))
      if (kept) kept.push(say)
      else say()
    }
  return {
    log: { info: report('info'), warn: report('warn') } as HeldLog['log'],
    letGo: () => {
      const all = kept ?? []
      kept = undefined
      for (const say of all) say()
    },
  }
}
