// The statuses that a library creative may change to when it is reviewed (spec 4.5). Its owner's sync does not use
// this: it adds what fits to the library, or archives it.

import type { CreativeStatus } from '../protocol/schemas/creative-library.ts'

const MOVES: Readonly<Record<CreativeStatus, readonly CreativeStatus[]>> = {
  processing: ['pending_review', 'approved', 'rejected', 'archived'],
  pending_review: ['approved', 'rejected', 'archived'],
  approved: ['pending_review', 'suspended', 'rejected', 'archived'],
  suspended: ['approved', 'rejected', 'archived'],
  rejected: ['pending_review', 'archived'],
  archived: ['approved'],
}

export function mayBecome(from: CreativeStatus, to: CreativeStatus): boolean {
  return MOVES[from].includes(to)
}
