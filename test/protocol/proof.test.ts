import { expect, test } from 'vitest'
import { authorityOf, PROOFS, PROVED_ONCE } from '../../src/protocol/proof.ts'

test('spec 4.1: proofs are listed by their strength, and each is worth more than none now', () => {
  const strengths = PROOFS.map(authorityOf)
  expect(strengths).toEqual(strengths.toSorted((a, b) => b - a))
  expect(Math.min(...strengths)).toBeGreaterThan(PROVED_ONCE)
  expect(PROVED_ONCE).toBeGreaterThan(authorityOf(null))
})

test('spec 4.1: the well-known file comes first, a seller last, DNS and a file are equal', () => {
  expect(PROOFS[0]).toBe('well_known')
  expect(PROOFS.slice(-4, -2)).toEqual(['on_domain', 'parent_on_domain'])
  expect(PROOFS.slice(-2)).toEqual(['authorized', 'parent_authorized'])
  expect(authorityOf('dns')).toBe(authorityOf('file'))
  expect(authorityOf('parent_dns')).toBe(authorityOf('parent_file'))
})
