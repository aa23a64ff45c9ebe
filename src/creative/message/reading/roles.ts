// The roles of the parts of a message. Their order is that of the weights.

export const ROLES = [
  'headline',
  'body',
  'cta',
  'legal',
  'fact',
  'instruction',
  'avoid',
  'style',
  'chat',
] as const
export type MessageRole = (typeof ROLES)[number]

/** What may be printed; everything else is addressed to the one who makes the ad. */
export const PRINTED_ROLES: ReadonlySet<MessageRole> = new Set([
  'headline',
  'body',
  'cta',
  'legal',
  'fact',
])
