// The ways a domain confirms that a reference is its own, and how far each is trusted (spec 3.1): the single table
// that verification, ranking and documentation share.

/**
 * The strongest first. `well_known` is the domain's own well-known file, `named` a file that it names, `dns` and
 * `file` a proof of the organisation that contributed the reference, `on_domain` a manifest elsewhere on the domain,
 * and `authorized` an agent that its adagents.json allows to sell: a seller is not the brand. The same proofs for the
 * registrable domain above begin with `parent_`.
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
 * The primary rank of a reference: the domain's own proof first, then its parent's, and last the files that anyone
 * with upload rights there could have created, and the sellers it authorizes. A record and a file are equal.
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

/** The rank of a reference that was proved once but is not now; 0 if it never was. */
export const PROVED_ONCE = 1

export function authorityOf(proved: ProvedBy | null): number {
  return proved === null ? 0 : STRENGTH[proved]
}
