import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { apiErrorsPage, errorTextsOf } from '../../scripts/api-errors.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('docs/api-errors.md is what `npm run docs` writes', () => {
  expect(readFileSync(`${ROOT}docs/api-errors.md`, 'utf8')).toBe(apiErrorsPage(`${ROOT}src`))
})

test('texts are found in thrown errors, in issues, in suggestions and in refusals, and nowhere else', () => {
  const source = `
    throw new ProtocolError('INVALID_REQUEST', \`at most \${limit} items are accepted\`, {
      suggestion: 'Send fewer items.',
    })
    faults.add('oneOf', ['url'], 'url or content is required.')
    const refused = refuse(400, 'domain parameter required')
    const SUGGESTIONS = { A: 'Retry later with the same key.' }
    log.info('the server has started')
  `
  expect(errorTextsOf(source)).toEqual([
    'at most {…} items are accepted',
    'Send fewer items.',
    'url or content is required.',
    'domain parameter required',
    'Retry later with the same key.',
  ])
})
