// The roles of the parts of a message, as the model distinguishes them.

import { MESSAGE_ROLES } from '../../../protocol/message-roles.ts'

export type { MessageRole } from '../../../protocol/message-roles.ts'

/**
 * The roles that the model distinguishes, in the order of its weights: scaffolding around copy is a separate kind of
 * instruction.
 */
export const READ_ROLES = [...MESSAGE_ROLES, 'scaffold'] as const
export type ReadRole = (typeof READ_ROLES)[number]

/** What may be printed; everything else is addressed to the creator of the ad. */
export const PRINTED_ROLES: ReadonlySet<ReadRole> = new Set([
  'headline',
  'body',
  'cta',
  'legal',
  'fact',
])
