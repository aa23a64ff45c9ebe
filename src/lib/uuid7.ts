// Identifiers that sort by their creation time (RFC 9562 version 7): inserts stay at the newest end of an index, and
// a counter in place of `rand_a` orders those of the same millisecond.

import { randomFillSync, randomUUID } from 'node:crypto'

let lastMs = 0
let counter = 0

// Random bytes are generated in batches: each call costs more than the bytes themselves.
const pool = Buffer.alloc(4_096)
let drawn = pool.length

export function uuid7(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = 0
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  const sequence = (0x7000 | counter).toString(16)
  const tail = randomTail()
  return `${timeOf(lastMs)}-${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** For ids that must be unguessable: 74 random bits after the time. Those of the same millisecond are unordered. */
export function secretUuid7(nowMs: number): string {
  return `${timeOf(nowMs)}-7${randomUUID().slice(15)}`
}

function timeOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** 8 random bytes in hex, the first two bits being the variant. */
function randomTail(): string {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  pool[drawn] = ((pool[drawn] as number) & 0x3f) | 0x80
  const tail = pool.toString('hex', drawn, drawn + 8)
  drawn += 8
  return tail
}
