// Looks for the value that was issued to an organisation, in DNS and then in a file. Both are read within limits, and
// anew each time: a removed proof no longer counts.

import { defined } from '../lib/defined.ts'
import { fetchHops } from '../lib/fetch-hops.ts'
import { areOn } from '../protocol/domain-authority.ts'
import type { Challenge } from './challenge.ts'
import type { VerificationRun } from './verification.ts'

/** The part of a verification that looks for challenges. */
export type ChallengeRun = Pick<VerificationRun, 'fetch' | 'resolveTxt' | 'signal' | 'timeoutMs'>

export type FoundChallenge =
  | { ok: true; by: 'dns' | 'file'; how: string }
  | { ok: false; tried: string[] }

/** Large enough for the values of many organisations, one per line. */
const MAX_FILE_BYTES = 16_384

export async function findChallenge(
  challenge: Challenge,
  run: ChallengeRun,
): Promise<FoundChallenge> {
  const noRecord = await faultOfRecord(challenge, run)
  if (noRecord === undefined) {
    return { ok: true, by: 'dns', how: `proved by the TXT record ${challenge.dns_txt?.name}` }
  }
  const noFile = await faultOfFile(challenge, run)
  if (noFile === undefined) return { ok: true, by: 'file', how: `proved by ${challenge.file.url}` }
  return { ok: false, tried: [noRecord, noFile] }
}

const NO_TIME = 'the time limit ended before the request was sent'

/** Undefined when a record contains the value. */
async function faultOfRecord(
  { dns_txt }: Challenge,
  run: ChallengeRun,
): Promise<string | undefined> {
  if (dns_txt === null) return 'the domain is too long for a TXT record'
  if (run.timeoutMs() === 0) return NO_TIME
  const answer = await run.resolveTxt(dns_txt.name, run.signal)
  if (!answer.ok) return answer.message
  if (answer.records.some((record) => record.trim() === dns_txt.value)) return undefined
  const others = answer.records.length > 0 ? ' with the value' : ''
  return `${dns_txt.name} has no TXT record${others}`
}

/** Undefined when a line of the file is the value. */
async function faultOfFile(
  { domain, file }: Challenge,
  run: ChallengeRun,
): Promise<string | undefined> {
  const totalTimeoutMs = run.timeoutMs()
  if (totalTimeoutMs === 0) return NO_TIME
  const result = await fetchHops(run.fetch, {
    url: file.url,
    headers: { accept: 'text/plain' },
    maxBytes: MAX_FILE_BYTES,
    totalTimeoutMs,
    ...defined({ signal: run.signal ? run.signal : undefined }),
  })
  if (!result.ok) return `${file.url}: ${result.message}`
  // Another host of the site may belong to somebody else: its content does not speak for the domain.
  if (!areOn(result.hops, { of: 'domain', host: domain })) {
    return `${file.url} leads to another host`
  }
  if (result.status !== 200) return `${file.url}: the server answered ${result.status}, not 200`
  const lines = result.body.toString('latin1').split('\n')
  if (lines.some((line) => line.trim() === file.value)) return undefined
  return `${file.url} has no line with the value`
}
