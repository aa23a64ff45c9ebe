// Whether a domain confirms that a reference is its own (spec 3.1). Its hosts are queried from strongest to weakest,
// so the first confirmation is the strongest one; hosts that are not queried cost nothing.

import { canonicalUrl } from '../lib/canonical-url.ts'
import {
  areOn,
  isWellKnown,
  type Word,
  wellKnownUrl,
  wordsFor,
} from '../protocol/domain-authority.ts'
import type { ManifestType } from '../protocol/manifest-reference.ts'
import { followManifest } from './fetch-manifest.ts'
import { findChallenge } from './find-challenge.ts'
import type { Proved, ReferenceToVerify, UrlFinding, VerificationRun } from './verification.ts'

export type Proof =
  | Proved
  | {
      ok: false
      /** What was queried and the result, for the contributor. */
      tried: string[]
    }

type Found = Extract<UrlFinding, { ok: true }>
type Answer = { ok: true; by: 'named' | 'authorized'; how: string } | { ok: false; tried: string[] }

export async function proveReference(
  reference: ReferenceToVerify,
  found: Found,
  run: VerificationRun,
): Promise<Proof> {
  const words = wordsFor(reference.domain)
  const tried: string[] = []
  let authorized: Proved | undefined
  for (const word of words) {
    if (isItsWellKnown(reference, word)) {
      return proved(word, 'well_known', 'published at the well-known place')
    }
    const named = await isNamed(reference, word, run)
    if (named.ok && named.by === 'named') return proved(word, 'named', named.how)
    if (named.ok) authorized ??= proved(word, 'authorized', named.how)
    else tried.push(...named.tried)

    // A proof identifies the contributor, not the subject of a file.
    if (!reference.isProofRequested || !found.speaksOfDomain) continue
    const challenge = run.challenge(reference.contributed_by_org_id, word.host)
    const published = await findChallenge(challenge, run)
    if (published.ok) return proved(word, published.by, published.how)
    tried.push(...published.tried)
  }
  const host = words.find((word) => areOn(found.hops, word))
  if (host) return proved(host, 'on_domain', `published on ${host.host}`)
  return authorized ?? { ok: false, tried }
}

function proved(
  word: Word,
  by: 'well_known' | 'named' | 'dns' | 'file' | 'on_domain' | 'authorized',
  how: string,
): Proved {
  return { ok: true, by: word.of === 'domain' ? by : `parent_${by}`, how }
}

function isItsWellKnown({ manifest_url, manifest_type }: ReferenceToVerify, word: Word): boolean {
  return manifest_url !== null && isWellKnown(manifest_url, word.host, manifest_type)
}

function isNamed(reference: ReferenceToVerify, word: Word, run: VerificationRun): Promise<Answer> {
  return reference.reference_type === 'url'
    ? isManifestNamed(reference, word, run)
    : isAgentNamed(reference, word, run)
}

/** The well-known file leads to the manifest: by a redirect of its server, or by pointing there. */
async function isManifestNamed(
  { manifest_url, manifest_type: type }: ReferenceToVerify,
  { host }: Word,
  run: VerificationRun,
): Promise<Answer> {
  const file = wellKnownUrl(host, type)
  const read = (bytes: Uint8Array) => run.readManifest(bytes, { type, allowHttp: run.allowHttp })
  const { hops, pointers, end } = await followManifest(file, read, run)
  const wanted = canonicalUrl(manifest_url as string)
  const leadsTo = [...hops.slice(1).map(canonicalUrl), ...pointers]
  if (wanted !== undefined && leadsTo.includes(wanted)) {
    return { ok: true, by: 'named', how: `named by ${file}` }
  }
  const other = pointers.length > 0 ? 'it points to another file' : 'it is a manifest of its own'
  return { ok: false, tried: [`${file}: ${end.ok ? other : end.reason}`] }
}

/** The file of a reference's own type is read first. */
const NAMING_FILES: Readonly<Record<ManifestType, readonly ManifestType[]>> = {
  'brand.json': ['brand.json', 'adagents.json'],
  'adagents.json': ['adagents.json', 'brand.json'],
}

/** An adagents.json authorizes sellers, who may be anyone: for a brand that is the weakest confirmation. */
function wordOf(file: ManifestType, reference: ManifestType): 'named' | 'authorized' {
  return file === 'adagents.json' && reference === 'brand.json' ? 'authorized' : 'named'
}

async function isAgentNamed(
  reference: ReferenceToVerify,
  { host }: Word,
  run: VerificationRun,
): Promise<Answer> {
  const tried: string[] = []
  const { agent_url: url, agent_id: id } = reference as { agent_url: string; agent_id: string }
  for (const type of NAMING_FILES[reference.manifest_type]) {
    const file = wellKnownUrl(host, type)
    const question = { type, agent: { url, id, now: run.now() }, allowHttp: run.allowHttp }
    const { end } = await followManifest(file, (bytes) => run.readManifest(bytes, question), run)
    if (end.ok && end.reading.namesAgent === 'named') {
      return { ok: true, by: wordOf(type, reference.manifest_type), how: `named by ${file}` }
    }
    tried.push(`${file}: ${end.ok ? NAMING[end.reading.namesAgent] : end.reason}`)
  }
  return { ok: false, tried }
}

const NAMING = {
  named: 'it names the agent',
  other_id: 'it names the agent with another id',
  not_named: 'it does not list the agent',
} as const
