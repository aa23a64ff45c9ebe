// The ways a domain confirms that a reference is its own, and how far each is trusted (spec 3.1): the single table
// that verification, ranking and documentation share.

/**
 * The strongest first. `well_known` is the domain's own well-known file, `named` what that file names,
 * `dns` and `file` a proof of the organisation that contributed the reference, `on_domain` a manifest
 * elsewhere on the domain, and `authorized` an agent that its adagents.json lets sell: a seller is
 * not the brand. The same of the registrable domain above begins with `parent_`.
 */
export const PROOFS = [
  'well_known',
  'named',
  'dns',
  'file',
  'parent_well_known',
  'parent_named',
  'parent_dns',
  'parent_file',
  'on_domain',
  'parent_on_domain',
  'authorized',
  'parent_authorized',
] as const
export type ProvedBy = (typeof PROOFS)[number]

/**
 * How a reference ranks before all else: the domain's own word, then its parent's, and last the files
 * that anybody with the right to upload there could have made, and whom it lets sell. A record and a
 * file are equal.
 */
const STRENGTH: Readonly<Record<ProvedBy, number>> = {
  well_known: 11,
  named: 10,
  dns: 9,
  file: 9,
  parent_well_known: 8,
  parent_named: 7,
  parent_dns: 6,
  parent_file: 6,
  on_domain: 5,
  parent_on_domain: 4,
  authorized: 3,
  parent_authorized: 2,
}

/** The rank of what was proved once and is not now; what never was has 0. */
export const PROVED_ONCE = 1

export function authorityOf(proved: ProvedBy | null): number {
  return proved === null ? 0 : STRENGTH[proved]
}
