// The supported typed changes of a proposal: the capabilities declare them, and others are refused before anything is
// done.

export const REFINED_DIMENSIONS = ['total_budget', 'cpm', 'flight', 'product_changes'] as const
