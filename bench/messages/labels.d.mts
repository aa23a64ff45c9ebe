import type { Label } from './score.mjs'

/** The `dev` ones are tuned on, the `unseen` ones measured once. */
export const SPLITS: Label['split'][]

/** The labelled messages of one split, by file. */
export function readLabels(split: Label['split']): Label[]
