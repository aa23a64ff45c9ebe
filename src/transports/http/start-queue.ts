// Spreads a burst of work over turns of the event loop. Work that fits into the slice of a turn starts at once; the
// rest waits, with one start per turn. Starts alternate between owners with a key and those without, and then between
// the owners of each group.

export interface TurnOwner {
  name: string
  /** Sent a key that was accepted before. */
  hasKey: boolean
}

export interface StartQueue {
  /** `ownerOf` is called only when there are other starts to take turns with. */
  add(ownerOf: () => TurnOwner, start: () => void): void
  /** Starts that wait. */
  waiting(): number
}

/** In milliseconds: short enough that a request arriving meanwhile is not noticeably delayed. */
const SLICE_MS = 8

export function createStartQueue(sliceMs: number = SLICE_MS): StartQueue {
  const keyed = createLine()
  const keyless = createLine()
  let sliceStart: number | undefined
  let isDraining = false
  let isKeyedNext = true

  const waiting = () => keyed.size() + keyless.size()

  /** Whether the slice of this turn has time left. The first call starts it. */
  function hasTime(): boolean {
    if (sliceStart !== undefined) return performance.now() - sliceStart < sliceMs
    sliceStart = performance.now()
    setImmediate(() => {
      sliceStart = undefined
    })
    return true
  }

  /** One start, so that its follow-up work is done before the next: promises run between two turns. */
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
