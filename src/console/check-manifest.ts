// A manifest that somebody pastes, judged by the code that verifies references: what is wrong, where, and what would
// be right. Nothing of it is kept, and nothing is asked of anybody.

import { defined } from '../lib/defined.ts'
import { normaliseDomain } from '../lib/host-name.ts'
import type { ManifestQuestion, ManifestReading } from '../protocol/read-manifest.ts'
import type { CheckAnswer, CheckBody } from './api/registry.ts'
import { Refused } from './refusal.ts'

export interface CheckPorts {
  /** Reads a manifest for a principal: a large one elsewhere, so that nothing waits for it. */
  readManifest: (
    principalId: string,
    bytes: Uint8Array,
    question: ManifestQuestion,
  ) => Promise<ManifestReading>
  /** Whether manifests may name http addresses. */
  allowHttp: boolean
}

export async function checkManifest(
  { readManifest, allowHttp }: CheckPorts,
  principalId: string,
  { type, text, domain: asked }: CheckBody,
): Promise<CheckAnswer> {
  const named = asked === undefined || asked.trim() === '' ? undefined : normaliseDomain(asked)
  if (named && !named.ok) throw new Refused(400, 'invalid_request', named.reason)
  const domain = named?.domain
  const question = { type, allowHttp, ...defined({ domain }) }
  const read = await readManifest(principalId, Buffer.from(text), question)
  if (!read.ok) {
    return { ok: false, reason: read.reason, issues: read.issues.map((issue) => ({ ...issue })) }
  }
  const { variant, completeness, redirectTo, summary } = read
  return {
    ok: true,
    reason: `a valid ${type} (${variant})`,
    issues: [],
    variant,
    completeness,
    ...defined({
      name: summary.name,
      points_to: redirectTo,
      names_domain: domain === undefined ? undefined : read.namesDomain,
    }),
  }
}
