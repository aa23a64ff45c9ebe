// The report states of a window (spec 2.11), separate from the schemas for code that only needs these values.

export const REPORT_STATES = ['owed', 'sent', 'delivered', 'late', 'given_up'] as const
