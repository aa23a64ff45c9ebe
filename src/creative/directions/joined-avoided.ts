// What must not be said, merged from the several places that specify it.

import type { Avoided } from '../message/avoid.ts'

export function joinedAvoided(one: Avoided | undefined, other: Avoided): Avoided {
  if (!one) return other
  return {
    topics: new Set([...one.topics, ...other.topics]),
    terms: [...new Set([...one.terms, ...other.terms])],
    digits: [...new Set([...one.digits, ...other.digits])],
  }
}
