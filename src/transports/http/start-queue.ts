// Spreads work that arrives in a burst over turns of the event loop. What fits into the slice of a turn starts at once;
// the rest waits, one start for each turn, and the owners take turns: first those with a key and those without one,
// then the owners of each.

export interface TurnOwner {
  name: string
  /** Brought a key that was accepted before. */
  hasKey: boolean
}

export interface StartQueue {
  /** `ownerOf` is called only when there are other starts to take turns with. */
  add(ownerOf: () => TurnOwner, start: () => void): void
  /** Starts that wait. */
  waiting(): number
}

/** In milliseconds: short enough that somebody who arrives meanwhile notices nothing. */
const SLICE_MS = 8

export function createStartQueue(sliceMs: number = SLICE_MS): StartQueue {
  const keyed = createLine()
  const keyless = createLine()
  let sliceStart: number | undefined
  let isDraining = false
  let isKeyedNext = true

  const waiting = () => keyed.size() + keyless.size()

  /** Whether the slice of this turn has time left. The first to ask opens it. */
  function hasTime(): boolean {
    if (sliceStart !== undefined) return performance.now() - sliceStart < sliceMs
    sliceStart = performance.now()
    setImmediate(() => {
      sliceStart = undefined
    })
    return true
  }

  /** One start, so that what follows from it is done before the next: promises run between two turns. */
  function drain(): void {
    const [first, second] = isKeyedNext ? [keyed, keyless] : [keyless, keyed]
    isKeyedNext = !isKeyedNext
    const start = first.take() ?? second.take()
    isDraining = waiting() > 0
    if (isDraining) setImmediate(drain)
    start?.()
  }

  return {
    waiting,
    add: (ownerOf, start) => {
      if (!isDraining && hasTime()) return start()
      const { name, hasKey } = ownerOf()
      const line = hasKey ? keyed : keyless
      line.add(name, start)
      if (isDraining) return
      isDraining = true
      setImmediate(drain)
    },
  }
}

interface Line {
  add(owner: string, start: () => void): void
  take(): (() => void) | undefined
  size(): number
}

/** The owner that was served goes to the end. */
function createLine(): Line {
  const owners = new Map<string, (() => void)[]>()
  let size = 0
  return {
    size: () => size,
    add: (owner, start) => {
      const starts = owners.get(owner)
      if (starts) starts.push(start)
      else owners.set(owner, [start])
      size += 1
    },
    take: () => {
      const [next] = owners
      if (!next) return undefined
      const [owner, starts] = next
      owners.delete(owner)
      const start = starts.shift()
      if (starts.length > 0) owners.set(owner, starts)
      size -= 1
      return start
    },
  }
}
