// A `url` reference: fetch the file, parse it strictly, validate it against its schema. A file that only points
// elsewhere is followed, for a few steps at most.

import type { ManifestSummary } from '../protocol/manifest-variants.ts'
import { parseManifest } from '../protocol/read-manifest.ts'
import { brandIdentity } from './brands/brand-identity.ts'
import type { VerifiedBrand } from './brands/store.ts'
import { CATALOGUE_LIMITS } from './catalogue-limits.ts'
import { followManifest } from './fetch-manifest.ts'
import type { SearchLabel } from './store.ts'
import { invalid, unreachable } from './verdicts.ts'
import type { ReferenceToVerify, UrlFinding, VerificationRun } from './verification.ts'

export async function readReferencedManifest(
  reference: ReferenceToVerify,
  run: VerificationRun,
): Promise<UrlFinding> {
  const { domain, manifest_type: type, manifest_url } = reference
  const question = { type, domain, allowHttp: run.allowHttp }
  let last: Uint8Array = new Uint8Array()
  const read = (bytes: Uint8Array) => {
    last = bytes
    return run.readManifest(bytes, question)
  }
  const { hops, pointers, end } = await followManifest(manifest_url as string, read, run)
  if (!end.ok) {
    const { status, reason, issues } = end
    const verdict = status === 'unreachable' ? unreachable(reason) : invalid(reason, issues)
    return { ok: false, verdict }
  }
  const { variant, completeness, summary, namesDomain } = end.reading
  const url = pointers.at(-1) ?? (hops.at(-1) as string)
  const brand = type === 'brand.json' ? verifiedBrand(domain, last, { url, variant }) : undefined
  return {
    ok: true,
    what: `a valid ${type} (${variant})`,
    completeness,
    labels: labelsOf(reference, summary, brand),
    hops,
    speaksOfDomain: namesDomain,
    brand,
  }
}

/** A larger document is not stored: its brand is known only by its name. */
function verifiedBrand(
  domain: string,
  bytes: Uint8Array,
  where: { url: string; variant: string },
): VerifiedBrand | undefined {
  if (bytes.byteLength > CATALOGUE_LIMITS.brandDocumentBytes.value) return undefined
  const parsed = parseManifest(bytes)
  if (!parsed.ok) return undefined
  const document = JSON.stringify(parsed.value)
  return { ...where, identity: brandIdentity(domain, parsed.value, where.url), document }
}

const MAX_LABELS = 50

function labelsOf(
  reference: ReferenceToVerify,
  summary: ManifestSummary,
  brand: VerifiedBrand | undefined,
): SearchLabel[] {
  const kind = reference.manifest_type === 'brand.json' ? 'brand' : 'publisher'
  // The name of a house is not the name of its brands.
  const isOfHouse = brand?.variant === 'house_portfolio' && !brand.identity.house
  const name = isOfHouse ? brand.identity.brand_name : summary.name
  const labels: SearchLabel[] = [{ kind, label: name ?? reference.domain }]
  // Its names in other languages find it too, and so does the name of one brand of a house.
  const { brand_name, names = [] } = brand?.identity ?? {}
  for (const name of new Set([brand_name, ...names.flatMap((one) => Object.values(one))])) {
    if (name && name !== labels[0]?.label) labels.push({ kind, label: name })
  }
  for (const { name, identifier } of summary.properties) {
    const label = name ?? identifier
    if (label) labels.push({ kind: 'property', label })
  }
  return labels.slice(0, MAX_LABELS)
}
