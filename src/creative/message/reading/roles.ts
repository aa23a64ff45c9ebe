// The roles of the parts of a message, as the model tells them apart.

import { MESSAGE_ROLES } from '../../../protocol/message-roles.ts'

export type { MessageRole } from '../../../protocol/message-roles.ts'

/** What the model tells apart, in the order of its weights: scaffolding around copy is an instruction of its own sort. */
export const READ_ROLES = [...MESSAGE_ROLES, 'scaffold'] as const
export type ReadRole = (typeof READ_ROLES)[number]

/** What may be printed; everything else is addressed to the one who makes the ad. */
export const PRINTED_ROLES: ReadonlySet<ReadRole> = new Set([
  'headline',
  'body',
  'cta',
  'legal',
  'fact',
])
