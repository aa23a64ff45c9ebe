// The authors in groups, each of which is left out once to measure the reader on authors that it was not trained on.

import { existsSync } from 'node:fs'
import { foldFile, learnedDigest } from './digest.mjs'

/** Their messages belong to no single author, and are trained on always. */
const NO_AUTHORS = new Set(['earlier', 'maintainers'])
const FOLDS = 3

/** Names of authors, dealt out by their main language, so that each group has authors of most languages. */
export function foldsOf(authors, count = FOLDS) {
  const folds = Array.from({ length: count }, () => [])
  authors
    .filter(({ author }) => !NO_AUTHORS.has(author))
    .map(({ author, messages }) => ({ author, language: mainLanguage(messages) }))
    .sort((a, b) => order(a.language, b.language) || order(a.author, b.author))
    .forEach(({ author }, index) => {
      folds[index % count].push(author)
    })
  return folds
}

/** The groups whose weights are there, for what the reader is made of now. */
export function trainedFolds(authors) {
  const digest = learnedDigest()
  return foldsOf(authors)
    .map((omitted, number) => ({ omitted, number, file: foldFile(digest, number) }))
    .filter(({ file }) => existsSync(file))
}

function mainLanguage(messages) {
  const counts = new Map()
  for (const { l } of messages) counts.set(l, (counts.get(l) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || order(a[0], b[0]))[0][0]
}

function order(one, other) {
  return one < other ? -1 : one > other ? 1 : 0
}
