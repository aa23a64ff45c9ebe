// A digest of authorizations that does not depend on their order: the sum of the digests of the rows. Two registries
// with the same authorizations have the same digest.

import { createHash } from 'node:crypto'
import { canonicalJson } from '../../lib/canonical-json.ts'

/** The members that are compared; an event contains no property ids beyond these. */
const COMPARED_IDS = 1_000
const MEMBERS = [
  'id',
  'agent_url',
  'publisher_domain',
  'authorization_type',
  'authorized_for',
  'countries',
  'placement_ids',
  'placement_tags',
  'collections',
  'delegation_type',
  'exclusive',
  'effective_from',
  'effective_until',
  'signing_keys',
  'discovery_method',
  'manager_domain',
] as const
const MODULUS = 1n << 256n

export interface RowsDigest {
  add(body: Readonly<Record<string, unknown>>): void
  value(): { rows: number; digest: string }
}

export function createRowsDigest(): RowsDigest {
  let sum = 0n
  let rows = 0
  return {
    add: (body) => {
      const ids = Array.isArray(body.property_ids) ? body.property_ids : []
      const facts = MEMBERS.map((name) => (Object.hasOwn(body, name) ? (body[name] ?? null) : null))
      const text = canonicalJson([...facts, ids.slice(0, COMPARED_IDS)])
      const hash = createHash('sha256').update(text).digest('hex')
      sum = (sum + BigInt(`0x${hash}`)) % MODULUS
      rows += 1
    },
    value: () => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  }
}
