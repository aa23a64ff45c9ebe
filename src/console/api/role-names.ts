// The roles of the console. Apart from the schemas: the help of a command lists them without loading any.

/** A viewer reads, an operator acts, an approver decides on media buys, an admin does all that and manages access. */
export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const
export type Role = (typeof ROLES)[number]
