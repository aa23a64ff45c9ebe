// How the report of a window stands (spec 2.11): apart from the schemas, for who needs the words alone.

export const REPORT_STATES = ['owed', 'sent', 'delivered', 'late', 'given_up'] as const
