// Maps an id to the place of its signal: a table of numbers next to the ids themselves, since a Map of a million
// strings would take as much memory as all the rest.

export interface IdPlaces {
  get(id: string): number | undefined
  set(id: string, place: number): void
  delete(id: string): void
  readonly size: number
}

const EMPTY = -1
const DELETED = -2

/** `idAt` returns the id at a place, to check that a match is not a hash collision. */
export function createIdPlaces(idAt: (place: number) => string): IdPlaces {
  let places = new Int32Array(1_024).fill(EMPTY)
  let taken = 0
  let size = 0

  /** Where the id is, or where it would go. */
  function find(table: Int32Array, id: string): { at: number; isThere: boolean } {
    const mask = table.length - 1
    let gap = -1
    for (let at = hashOf(id) & mask; ; at = (at + 1) & mask) {
      const place = table[at]!
      if (place === EMPTY) return { at: gap >= 0 ? gap : at, isThere: false }
      if (place === DELETED) gap = gap >= 0 ? gap : at
      else if (idAt(place) === id) return { at, isThere: true }
    }
  }

  function grow(): void {
    const larger = new Int32Array(size * 4 > places.length ? places.length * 2 : places.length)
    larger.fill(EMPTY)
    const old = places
    for (const place of old) if (place >= 0) larger[find(larger, idAt(place)).at] = place
    places = larger
    taken = size
  }

  return {
    get: (id) => {
      const { at, isThere } = find(places, id)
      return isThere ? places[at]! : undefined
    },
    set: (id, place) => {
      const { at, isThere } = find(places, id)
      if (!isThere) {
        size++
        if (places[at] === EMPTY) taken++
      }
      places[at] = place
      if (taken * 2 > places.length) grow()
    },
    delete: (id) => {
      const { at, isThere } = find(places, id)
      if (!isThere) return
      places[at] = DELETED
      size--
    },
    get size() {
      return size
    },
  }
}

/** FNV-1a over the UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}
