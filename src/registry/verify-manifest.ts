// A `url` reference: fetch the file, read it strictly, check it against its schema, and see that it
// speaks of the domain. A file that only points elsewhere is followed, a few steps at most.

import { sameSite } from '../lib/host-name.ts'
import { checkAdagentsJson } from '../protocol/adagents-json.ts'
import { checkBrandJson } from '../protocol/brand-json.ts'
import type { ManifestCheck, ManifestSummary } from '../protocol/manifest-check.ts'
import type { ManifestType } from '../protocol/manifest-reference.ts'
import { namesDomain } from '../protocol/names-domain.ts'
import type { SearchLabel } from './store.ts'
import { invalid, unreachable, valid } from './verdicts.ts'
import type { ReferenceToVerify, Verdict, VerifyPorts } from './verify-reference.ts'

const MAX_MANIFEST_BYTES = 256 * 1024
const TIMEOUT_MS = 10_000
/** Pointers (authoritative_location, house) followed from the first file. */
const MAX_POINTERS = 3

export async function verifyManifest(
  reference: ReferenceToVerify,
  ports: VerifyPorts,
): Promise<Verdict> {
  let url = reference.manifest_url as string
  let pointedByDomain = false
  for (let step = 0; step <= MAX_POINTERS; step++) {
    const fetched = await fetchManifest(url, ports)
    if (!fetched.ok) return fetched.verdict
    const check = checkAs(reference.manifest_type, fetched.document, ports.allowHttp)
    if (!check.ok) {
      return invalid(`the file is not a valid ${reference.manifest_type}`, check.issues)
    }
    // A file on the domain's own host speaks for the domain, and so does what it points to.
    pointedByDomain ||= sameSite(fetched.host, reference.domain)
    if (check.redirectTo === undefined) {
      if (!pointedByDomain && !namesDomain(fetched.document, reference.domain)) {
        return invalid(
          `the file does not name ${reference.domain}: it must mention the domain, or be served from it`,
        )
      }
      return valid(
        check.completeness,
        `a valid ${reference.manifest_type} (${check.variant})`,
        labelsOf(reference, check.summary),
      )
    }
    url = check.redirectTo
  }
  return invalid(`the file points on more than ${MAX_POINTERS} times: point to the manifest itself`)
}

type Fetched = { ok: true; document: unknown; host: string } | { ok: false; verdict: Verdict }

export async function fetchManifest(
  url: string,
  { fetch, signal }: Pick<VerifyPorts, 'fetch' | 'signal'>,
): Promise<Fetched> {
  const result = await fetch({
    url,
    headers: { accept: 'application/json' },
    redirects: 'same-site',
    maxBytes: MAX_MANIFEST_BYTES,
    totalTimeoutMs: TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  })
  if (!result.ok) {
    const verdict =
      result.code === 'too_large'
        ? invalid(`the file is larger than ${MAX_MANIFEST_BYTES} bytes`)
        : unreachable(result.message)
    return { ok: false, verdict }
  }
  if (result.status < 200 || result.status > 299) {
    return { ok: false, verdict: unreachable(`the server answered ${result.status}, not 200`) }
  }
  const document = parseJson(result.body)
  if (document === undefined) {
    const type = result.headers['content-type'] ?? 'no content type'
    return { ok: false, verdict: invalid(`the file is not JSON (${type.slice(0, 100)})`) }
  }
  return { ok: true, document, host: new URL(result.url).hostname }
}

/** Undefined for what is not JSON in valid UTF-8; a byte order mark is not JSON. */
function parseJson(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function checkAs(type: ManifestType, document: unknown, allowHttp: boolean): ManifestCheck {
  return type === 'brand.json'
    ? checkBrandJson(document, { allowHttp })
    : checkAdagentsJson(document, { allowHttp })
}

const MAX_LABELS = 50

function labelsOf(reference: ReferenceToVerify, summary: ManifestSummary): SearchLabel[] {
  const kind = reference.manifest_type === 'brand.json' ? 'brand' : 'publisher'
  const labels: SearchLabel[] = [{ kind, label: summary.name ?? reference.domain }]
  for (const { name, identifier } of summary.properties) {
    const label = name ?? identifier
    if (label) labels.push({ kind: 'property', label })
  }
  return labels.slice(0, MAX_LABELS)
}
