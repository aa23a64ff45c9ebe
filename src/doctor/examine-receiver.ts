// Tests a webhook receiver: sends about seventy good and bad deliveries and checks the answer to each.

import { startDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import type { Signer } from '../signing/ports.ts'
import { createRecorder, type EgressClientOptions, openEgressClient } from './egress-clients.ts'
import { receiverChecks } from './receiver/checks.ts'
import { createReceiverContext, type Scheme } from './receiver/context.ts'
import { type DoctorPairs, openKeySite, strangerOf } from './receiver/key-site.ts'
import { REACHABLE, type Report, reportOf } from './report.ts'
import { type CheckResult, EXAMINATION_MS, runChecks, type Watching } from './run-checks.ts'

export type Credential =
  /** The doctor's own keys, published where it listens. The receiver knows the doctor as `agentUrl`. */
  | {
      kind: 'served-keys'
      pairs: DoctorPairs
      host: string
      port: number
      agentUrl?: string | undefined
    }
  /** A key published by another party that the receiver trusts. */
  | { kind: 'key'; signer: Signer }
  | { kind: 'hmac'; secret: string }
  | { kind: 'bearer'; token: string }

export interface ExamineReceiverOptions extends EgressClientOptions, Watching {
  /** Default proto. */
  protocolName: string
  credential: Credential
  /** The token of the registration. Default none. */
  token?: string | undefined
  /** Timeout of one delivery, in milliseconds. Default 15 000, as long as senders wait. */
  callTimeoutMs?: number
  /** Timeout of all checks together, in milliseconds. Default half an hour. */
  wholeTimeoutMs?: number
  /** Called before the first delivery with the agent that the receiver has to trust. */
  onTrust?: ((agentUrl: string) => void) | undefined
}

const CALL_TIMEOUT_MS = 15_000
const CHECK_TIMEOUT_MS = 120_000

export async function examineReceiver(options: ExamineReceiverOptions): Promise<Report> {
  const { url, protocolName, token, only, onProgress, callTimeoutMs = CALL_TIMEOUT_MS } = options
  const names = identifiersFor(protocolName)
  const { onResult, signal, notWriting } = options
  const { allow, allowHttp, dns, dnsServers, ca, egress: given } = options
  const ways = defined({ allow, allowHttp, dns, dnsServers, ca, egress: given })
  const egress = openEgressClient({ url, ...ways })
  const opened = await schemeOf(options.credential, options)
  const recorder = createRecorder(egress, callTimeoutMs)
  const context = createReceiverContext({ url, names, token, scheme: opened.scheme, recorder })
  const checks = receiverChecks(opened.scheme.mode)
  const { wholeTimeoutMs = EXAMINATION_MS } = options
  const whole = startDeadline({ timeoutMs: wholeTimeoutMs, signals: signal ? [signal] : [] })
  const running = {
    mayWrite: true,
    timeoutMs: CHECK_TIMEOUT_MS,
    onResult,
    signal: whole.signal,
    notWriting,
  }
  try {
    const [first] = await runChecks(checks, context, { ...running, only: [REACHABLE] })
    if (first?.state !== 'passed') return reportOf('receiver', url, [first as CheckResult])
    const rest = checks.filter(({ id }) => id !== REACHABLE)
    const results = await runChecks(rest, context, { ...running, only, onProgress })
    return reportOf('receiver', url, [first, ...results])
  } finally {
    whole.end()
    await opened.close()
    await egress.close()
  }
}

async function schemeOf(
  credential: Credential,
  { protocolName, onTrust }: ExamineReceiverOptions,
): Promise<{ scheme: Scheme; close(): Promise<void> }> {
  const close = async () => {}
  const names = identifiersFor(protocolName)
  if (credential.kind === 'hmac') {
    return { scheme: { mode: 'HMAC-SHA256', secret: credential.secret }, close }
  }
  if (credential.kind === 'bearer')
    return { scheme: { mode: 'Bearer', token: credential.token }, close }
  if (credential.kind === 'key') {
    const keys = { main: credential.signer, stranger: strangerOf(names) }
    return { scheme: { mode: 'rfc9421', keys }, close }
  }
  const { kind: _, agentUrl, ...place } = credential
  const site = await openKeySite({ names, agentUrl, ...place })
  onTrust?.(site.agentUrl)
  return { scheme: { mode: 'rfc9421', keys: site.keys }, close: site.close }
}
