import type { Label } from './score.mjs'

/** `dev` and `dev2` are tuned on, `unseen` and `unseen2` measured once. */
export const SPLITS: Label['split'][]

/** The labelled messages of one split, by file. */
export function readLabels(split: Label['split']): Label[]
