// How a creative of the library may go from one status to another when its review decides (spec 4.5). Its owner's sync
// is not asked here: that puts what fits into the library, or away.

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
