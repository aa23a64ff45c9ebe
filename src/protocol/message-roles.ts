// The roles of the parts of a message to build_creative (spec 4.2), as the response names them.

export const MESSAGE_ROLES = [
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
export type MessageRole = (typeof MESSAGE_ROLES)[number]
