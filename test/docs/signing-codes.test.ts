import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signingCodesPage } from '../../src/app/signing-codes-page.ts'
import { FAILURES } from '../../src/signing/profile.ts'
import { STEPS } from '../../src/signing/verify-steps.ts'
import { BEARER_FAILURES } from '../../src/webhooks/schemes/bearer.ts'
import { HMAC_FAILURES } from '../../src/webhooks/schemes/hmac.ts'

const PAGE = new URL('../../docs/signing-codes.md', import.meta.url)
const GUIDE = new URL('../../docs/signing.md', import.meta.url)

test('docs/signing-codes.md is what `npm run docs` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(signingCodesPage())
})

test('the page names every code of every scheme', () => {
  const page = signingCodesPage()
  for (const failure of FAILURES)
    expect(page).toMatch(new RegExp(`\`(webhook|request)_${failure}\``))
  for (const code of [...HMAC_FAILURES, ...BEARER_FAILURES]) expect(page).toContain(`\`${code}\``)
})

test('docs/signing.md describes every step of the checklist, in its order', () => {
  const guide = readFileSync(GUIDE, 'utf8')
  const described = [...guide.matchAll(/^\| (pre|\d+a?) \|/gm)].map(([, step]) => step)
  expect(described).toEqual(STEPS.map(({ step }) => String(step)))
})
