// The work of `adwire doctor`: parses the flags, runs the checks, and prints the report.

import pc from 'picocolors'
import { readSecretValue } from '../app/receive/secret-value.ts'
import { AGENT_CHECKS } from '../doctor/agent/checks.ts'
import { examineAgent } from '../doctor/examine-agent.ts'
import { type Credential, examineReceiver } from '../doctor/examine-receiver.ts'
import { RECEIVER_CHECKS } from '../doctor/receiver/checks.ts'
import type { Report } from '../doctor/report.ts'
import { checkTable, reportLines } from '../doctor/report-text.ts'
import { unknownNames } from '../doctor/run-checks.ts'
import { defined } from '../lib/defined.ts'
import { isUrl } from '../lib/is-url.ts'
import { identifiersFor } from '../protocol/identifiers.ts'
import { localSigner } from '../signing/local-signer.ts'
import { wholeNumber } from './arguments.ts'
import { doctorPairs } from './doctor-keys.ts'
import { configFrom } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'
import { readPrivateKey } from './webhook-files.ts'

interface Flags {
  receiver?: string
  auth?: string
  otherAuth?: string
  write?: boolean
  receiverBaseUrl?: string
  receiverListen?: string
  serveKeys?: string
  keysFile?: string
  agentUrl?: string
  key?: string
  hmac?: string
  bearer?: string
  token?: string
  only?: string
  list?: boolean
  timeoutSeconds?: string
  webhookWaitSeconds?: string
  json?: boolean
}

export async function doctor(agentUrl: string | undefined, flags: Flags): Promise<void> {
  const isReceiver = flags.receiver !== undefined
  const checks = isReceiver ? RECEIVER_CHECKS : AGENT_CHECKS
  if (flags.list) return listChecks(isReceiver ? [] : AGENT_CHECKS, agentUrl ? [] : RECEIVER_CHECKS)
  const only = flags.only?.split(',').map((name) => name.trim())
  // The two tables have checks of different contexts; only their names matter here.
  const unknown = only ? unknownNames<never>(checks as never, only) : []
  if (unknown.length > 0) {
    throw new UsageError(`no check or group ${unknown.join(', ')}: add --list to see them`)
  }
  if (isReceiver === (agentUrl !== undefined)) {
    throw new UsageError('give the URL of an agent, or --receiver with the URL of a receiver')
  }
  const report = await (isReceiver
    ? receiverReport(flags, only)
    : agentReport(agentUrl ?? '', flags, only))
  endProgress()
  if (flags.json) printJson(report)
  else for (const line of reportLines(report, pc)) print(line)
  process.exitCode = report.exit_code
}

function listChecks(agent: typeof AGENT_CHECKS | [], receiver: typeof RECEIVER_CHECKS | []): void {
  const header = ['id', 'group', 'needs', 'what is right']
  if (agent.length > 0) {
    print('Of an agent:')
    printTable(header, checkTable(agent))
  }
  if (receiver.length > 0) {
    print('Of a receiver (--receiver):')
    printTable(header, checkTable(receiver))
  }
}

function agentReport(agentUrl: string, flags: Flags, only: string[] | undefined): Promise<Report> {
  const { timeoutSeconds, webhookWaitSeconds, receiverListen, receiverBaseUrl } = flags
  const key = secret('--auth', flags.auth)
  const otherKey = secret('--other-auth', flags.otherAuth)
  if (otherKey !== undefined && otherKey === key) {
    throw new UsageError('--other-auth is the key of --auth: give the key of another caller')
  }
  return examineAgent({
    ...settingsFrom(flags),
    agentUrl: webUrl('the agent', agentUrl),
    only,
    onProgress: showProgress,
    mayWrite: flags.write === true,
    ...defined({
      key,
      otherKey,
      receiverBaseUrl:
        receiverBaseUrl && webUrl('--receiver-base-url', receiverBaseUrl).replace(/\/$/, ''),
      receiverListen:
        receiverListen === undefined ? undefined : placeOf('--receiver-listen', receiverListen),
      callTimeoutMs: seconds('--timeout-seconds', timeoutSeconds),
      webhookWaitMs: seconds('--webhook-wait-seconds', webhookWaitSeconds),
    }),
  })
}

function receiverReport(flags: Flags, only: string[] | undefined): Promise<Report> {
  const settings = settingsFrom(flags)
  return examineReceiver({
    ...settings,
    url: webUrl('--receiver', flags.receiver ?? ''),
    only,
    onProgress: showProgress,
    credential: credentialFrom(flags, settings.protocolName),
    token: secret('--token', flags.token),
    ...defined({ callTimeoutMs: seconds('--timeout-seconds', flags.timeoutSeconds) }),
    onTrust: (url) => process.stderr.write(`the receiver must trust ${url}\n`),
  })
}

function settingsFrom(flags: Flags) {
  const { protocolName, egressAllow, egressAllowHttp, dns, dnsServers } = configFrom({ ...flags })
  return { protocolName, allow: egressAllow, allowHttp: egressAllowHttp, dns, dnsServers }
}

function credentialFrom(flags: Flags, protocolName: string): Credential {
  const { hmac, bearer, key, serveKeys, agentUrl, keysFile = '' } = flags
  const given = [hmac, bearer, key, serveKeys].filter((flag) => flag !== undefined)
  if (given.length !== 1) {
    throw new UsageError(
      'give one of --serve-keys, --key, --hmac and --bearer: the receiver needs it to authenticate the doctor',
    )
  }
  if (hmac !== undefined) return { kind: 'hmac', secret: secret('--hmac', hmac) ?? '' }
  if (bearer !== undefined) return { kind: 'bearer', token: secret('--bearer', bearer) ?? '' }
  if (key !== undefined) return { kind: 'key', signer: localSigner(readPrivateKey(key)) }
  const place = placeOf('--serve-keys', serveKeys ?? '')
  const pairs = doctorPairs(keysFile, identifiersFor(protocolName))
  return {
    kind: 'served-keys',
    pairs,
    ...place,
    agentUrl: agentUrl && webUrl('--agent-url', agentUrl),
  }
}

function secret(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const read = readSecretValue(text)
  if (!read.ok) throw new UsageError(`the value of ${flag} ${read.error}`)
  return read.value
}

function webUrl(what: string, text: string): string {
  const isWeb = isUrl(text) && ['http:', 'https:'].includes(new URL(text).protocol)
  if (isWeb && !new URL(text).username) return text
  throw new UsageError(`${what} must be a URL such as https://ads.example, without a user name`)
}

function placeOf(flag: string, text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':')
  const host = text.slice(0, at).replace(/^\[|\]$/g, '')
  const port = Number(text.slice(at + 1))
  if (at > 0 && host !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535)
    return { host, port }
  throw new UsageError(`${flag} must be <host>:<port>, such as 127.0.0.1:8499`)
}

function seconds(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const given = wholeNumber(flag, text)
  if (given > MAX_SECONDS) throw new UsageError(`${flag} must be at most ${MAX_SECONDS}`)
  return given * 1_000
}

const MAX_SECONDS = 3_600

function showProgress({
  done,
  total,
  title,
}: {
  done: number
  total: number
  title: string
}): void {
  if (!process.stderr.isTTY) return
  const line = `${done}/${total} ${title}`.slice(0, (process.stderr.columns ?? 80) - 1)
  process.stderr.write(`\r\u001b[2K${line}`)
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K')
}
