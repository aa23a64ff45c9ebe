// Reads the labelled messages. A split is a folder, so that who tunes on `dev`, `dev2` and `dev3` never
// opens `unseen`, `unseen2` and `unseen3`.

import { readdirSync, readFileSync } from 'node:fs'

const FOLDERS = new Map([
  ['dev', new URL('./labelled/', import.meta.url)],
  ['unseen', new URL('./labelled/unseen/', import.meta.url)],
  ['dev2', new URL('./labelled/second/', import.meta.url)],
  ['unseen2', new URL('./labelled/second/unseen/', import.meta.url)],
  ['dev3', new URL('./labelled/third/', import.meta.url)],
  ['unseen3', new URL('./labelled/third/unseen/', import.meta.url)],
])

export const SPLITS = [...FOLDERS.keys()]

export function readLabels(split) {
  const folder = FOLDERS.get(split)
  if (folder === undefined)
    throw new Error(`the split is one of ${SPLITS.join(', ')}, not ${split}`)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) => readFileSync(new URL(file, folder), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
}
