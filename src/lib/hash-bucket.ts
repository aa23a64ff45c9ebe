// Hashes features of a classifier into buckets, the number of which is a power of two.

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** Combines two hashes, or a hash and a small number; the order matters. */
export function mixed(first: number, second: number): number {
  let hash = Math.imul(first ^ (second + 0x9e3779b9), 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 0
}
