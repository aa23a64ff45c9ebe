// The parts of the reader that can be switched off, to see what each is worth.
// test/bench/messages.test.ts holds that each of them changes an ad.

export const LAYERS = ['markup', 'dictated', 'avoiding', 'actions']
