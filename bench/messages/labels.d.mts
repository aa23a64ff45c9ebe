import type { Label } from './score.mjs'

/** The labelled messages of one split, by file. */
export function readLabels(split: 'dev' | 'unseen'): Label[]
