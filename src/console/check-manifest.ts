// Checks a pasted file with the code that verifies references and with the code that crawls: what is wrong, where,
// what would be valid, and what it would authorize. Nothing is stored, and no requests are sent.

import { defined } from '../lib/defined.ts'
import { normaliseDomain } from '../lib/host-name.ts'
import type { PreviewedAuthorization } from '../protocol/adagents/authorized-by.ts'
import type { FileReport, FileToCheck } from '../protocol/adagents/check-file.ts'
import { ADAGENTS_LIMITS } from '../protocol/adagents/limits.ts'
import type { ManifestQuestion, ManifestReading } from '../protocol/read-manifest.ts'
import type { CheckAnswer, CheckBody } from './api/registry.ts'
import { Refused } from './refusal.ts'

export interface CheckPorts {
  /** Reads a manifest for a principal: a large one in another process, so that nothing waits for it. */
  readManifest: (
    principalId: string,
    bytes: Uint8Array,
    question: ManifestQuestion,
  ) => Promise<ManifestReading>
  /** The faults of a file, likewise. */
  checkFile: (principalId: string, file: FileToCheck) => Promise<FileReport>
  /** Whether manifests may contain http addresses. */
  allowHttp: boolean
}

const MOST_AUTHORIZATIONS = 200

export async function checkManifest(
  ports: CheckPorts,
  principalId: string,
  { type, text, domain: requested }: CheckBody,
): Promise<CheckAnswer> {
  const named =
    requested === undefined || requested.trim() === '' ? undefined : normaliseDomain(requested)
  if (named && !named.ok) throw new Refused(400, 'invalid_request', named.reason)
  const domain = named?.domain
  if (type === 'brand.json') return readAs('brand.json', { ports, principalId, text, domain })
  const report = await ports.checkFile(principalId, {
    type,
    bytes: Buffer.from(text),
    domain: domain ?? null,
    maxProperties: ADAGENTS_LIMITS.adagentsProperties.value,
    allowHttp: ports.allowHttp,
  })
  if (type === 'ads.txt') return adsTxtAnswer(report)
  return withReport(await readAs(type, { ports, principalId, text, domain }), report)
}

async function readAs(
  type: 'brand.json' | 'adagents.json',
  {
    ports: { readManifest, allowHttp },
    principalId,
    text,
    domain,
  }: { ports: CheckPorts; principalId: string; text: string; domain: string | undefined },
): Promise<CheckAnswer> {
  const question = { type, allowHttp, ...defined({ domain }) }
  const read = await readManifest(principalId, Buffer.from(text), question)
  if (!read.ok) {
    const issues = read.issues.map((issue) => ({ ...issue }))
    return { ok: false, reason: read.reason, issues, total_issues: issues.length }
  }
  const { variant, completeness, redirectTo, summary } = read
  return {
    ok: true,
    reason: `a valid ${type} (${variant})`,
    issues: [],
    total_issues: 0,
    variant,
    completeness,
    ...defined({
      name: summary.name,
      points_to: redirectTo,
      names_domain: domain === undefined ? undefined : read.namesDomain,
    }),
  }
}

function issuesOf({ faults, total_faults }: FileReport) {
  return {
    issues: faults.map(({ line, ...fault }) => ({ ...fault, ...defined({ line }) })),
    total_issues: total_faults,
  }
}

function adsTxtAnswer(report: FileReport): CheckAnswer {
  const { manager_domain } = report.summary
  const named = manager_domain ? `names the manager ${manager_domain}` : 'names no manager'
  return {
    ok: report.valid,
    reason: report.valid ? `an ads.txt that ${named}` : 'the file is not a valid ads.txt',
    ...issuesOf(report),
    ...defined({ manager_domain: manager_domain ?? undefined }),
  }
}

/** A file may have a valid structure and still have entries that authorize nothing. */
function withReport(answer: CheckAnswer, report: FileReport): CheckAnswer {
  const found = report.faults.length > 0 ? issuesOf(report) : {}
  const preview = report.summary.would_authorize
  const reason =
    answer.ok && !report.valid
      ? 'the file has the right shape, and entries that authorize nothing'
      : answer.reason
  return {
    ...answer,
    ...found,
    ok: answer.ok && report.valid,
    reason,
    ...defined({
      authorizes: preview && {
        rows: preview.authorizations.slice(0, MOST_AUTHORIZATIONS).map(rowOf),
        total: preview.authorization_count,
        idle: preview.idle_agents
          .slice(0, MOST_AUTHORIZATIONS)
          .map(({ agent_url, reason: why }) => ({ agent_url, reason: why })),
      },
    }),
  }
}

function rowOf(row: PreviewedAuthorization) {
  const { countries, effective_from, effective_until, exclusive: is_exclusive } = row
  const { agent_url, publisher_domain, authorized_for, property_ids, is_pinned, is_own } = row
  const { properties_authorized, properties_total } = row
  return {
    agent_url,
    publisher_domain,
    authorized_for,
    properties_authorized,
    properties_total,
    property_ids,
    is_exclusive,
    is_pinned,
    is_own,
    ...defined({
      countries: countries ?? undefined,
      effective_from: effective_from ?? undefined,
      effective_until: effective_until ?? undefined,
    }),
  }
}
