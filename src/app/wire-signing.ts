// Signed requests of callers: whose keys they are signed with, what the settings require, and what is reported about
// them.

import type { RequestSigning, SignatureRecord } from '../agent/authentication.ts'
import { isGoodFor } from '../agent/principals.ts'
import { REQUEST_KEYS_TOPIC } from '../agent/request-keys.ts'
import type { DeclaredSigning } from '../agent/signing-blocks.ts'
import type { SigningPolicy } from '../agent/signing-policy.ts'
import type { TaskTable } from '../agent/task-table.ts'
import { createSignatureVerifier } from '../agent/verify-signature.ts'
import { createCallerKeys } from '../key-discovery/caller-keys.ts'
import { nearNames } from '../lib/near-names.ts'
import type { Poller } from '../lib/poller.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { type Identifiers, identifiersFor } from '../protocol/identifiers.ts'
import { coversEveryBody, requestProfile } from '../signing/profile.ts'
import { A2A_METHODS, SERVED_A2A_METHODS } from '../transports/a2a/methods.ts'
import { type ClientFetch, NoResponse } from '../transports/client.ts'
import { MCP_METHODS } from '../transports/mcp/dispatch.ts'
import { readCapabilities } from '../transports/read-capabilities.ts'
import type { SignedUrls } from '../transports/signed-head.ts'
import type { Config } from './config.ts'
import type { Parts } from './parts.ts'
import { SETTINGS } from './settings.ts'

export interface SigningArea {
  signing: RequestSigning
  urls: SignedUrls
  workers: readonly Poller[]
}

const SWEEP_MS = 60_000

export function wireSigning(parts: Parts, policy: SigningPolicy): SigningArea {
  const { config, storage, publicUrl } = parts
  const { requestKeys, requestNonces: replay } = storage
  const identifiers = identifiersFor(config.protocolName)
  const keys = callerKeys(parts, identifiers)
  storage.onWake(REQUEST_KEYS_TOPIC, keys.refresh)
  const profile = requestProfile(
    { tag: identifiers.requestTag, keyUse: identifiers.keyUse },
    { contentDigest: config.requestContentDigest, release: config.requestSigningProfile },
  )
  const principalOf: typeof requestKeys.principalOf = async (keyId) => {
    const principal = await requestKeys.principalOf(keyId)
    return principal && isGoodFor(principal, config) ? principal : undefined
  }
  return {
    signing: {
      check: createSignatureVerifier({
        profile,
        keys,
        replay,
        requestKeys: { principalOf },
        clock: parts.wallClock,
      }),
      policy,
      hasKeys: requestKeys.hasAny,
      unsignedLegacy: config.unsignedLegacyWebhooks,
      onSignature: (record) => report(parts, record),
    },
    urls: { publicUrl, isNamed: config.publicUrl !== undefined },
    workers: [
      parts.sweep({
        name: 'worker: delete nonces that are over',
        intervalMs: SWEEP_MS,
        sweep: async () => (await replay.sweep()) > 0,
      }),
    ],
  }
}

function callerKeys({ storage, egress, clock, log }: Parts, identifiers: Identifiers) {
  const { byKid, addresses } = storage.requestKeys
  const fetch = capabilitiesFetch(egress)
  return createCallerKeys({
    byKid,
    addresses,
    egress,
    clock,
    log,
    readCapabilities: (agentUrl) => readCapabilities(agentUrl, { fetch, identifiers }),
    revocationType: identifiers.revocationType,
  })
}

/** A transport may send the same content twice, as data and as text. */
const MAX_CAPABILITIES_BYTES = 4 * 64 * 1_024
const CAPABILITIES_MS = 10_000

function capabilitiesFetch({ fetch }: Pick<Egress, 'fetch'>): ClientFetch {
  return async (request) => {
    const limits = { totalTimeoutMs: CAPABILITIES_MS, maxBytes: MAX_CAPABILITIES_BYTES }
    const result = await fetch({ ...request, ...limits, redirects: 'none' })
    if (!result.ok) throw new NoResponse('unreachable', result.message)
    return result
  }
}

function report({ metrics, log }: Parts, record: SignatureRecord): void {
  metrics.signatureChecked(record)
  if (record.outcome === 'failed') log.warn(record, 'a request has a wrong signature')
  if (record.outcome === 'refused') log.info(record, 'a signature was refused')
}

/** Throws when a setting names a task or method that does not exist. */
export function signingPolicy(config: Config, tasks: Pick<TaskTable, 'find' | 'entries'>) {
  const ofTasks = (key: TaskSetting) =>
    new Set(config[key].map((name) => taskName(tasks, key, name)))
  const ofMethods = (key: MethodSetting) => {
    for (const name of config[key]) {
      if (!METHODS.includes(name)) throw unknown(key, name, METHODS)
    }
    return new Set(config[key])
  }
  const policy: SigningPolicy = {
    requiredFor: ofTasks('requestSigningRequiredFor'),
    warnFor: ofTasks('requestSigningWarnFor'),
    methodsRequiredFor: ofMethods('requestSigningMethodsRequiredFor'),
    methodsWarnFor: ofMethods('requestSigningMethodsWarnFor'),
  }
  const supported = ofTasks('requestSigningSupportedFor')
  return { policy, supportedFor: supported.size > 0 ? supported : undefined }
}

export function declaredSigning(
  { config, publicUrl }: Pick<Parts, 'config' | 'publicUrl'>,
  rules: ReturnType<typeof signingPolicy>,
): DeclaredSigning {
  return {
    ...rules,
    contentDigest: coversEveryBody(config.requestSigningProfile)
      ? 'required'
      : config.requestContentDigest,
    methods: SERVED_METHODS,
    brandJsonUrl: () => `${publicUrl()}/.well-known/brand.json`,
    keyOrigin: () => new URL(publicUrl()).origin,
  }
}

type TaskSetting = `requestSigning${'Required' | 'Warn' | 'Supported'}For`
type MethodSetting = `requestSigningMethods${'Required' | 'Warn'}For`

const METHODS: readonly string[] = [...MCP_METHODS, ...A2A_METHODS]
const SERVED_METHODS: readonly string[] = [...MCP_METHODS, ...SERVED_A2A_METHODS]

/** Its canonical name, even if an alias was given. */
function taskName(
  { find, entries }: Pick<TaskTable, 'find' | 'entries'>,
  key: TaskSetting,
  name: string,
): string {
  const entry = find(name)
  if (entry) return entry.task.name
  throw unknown(
    key,
    name,
    entries.map((one) => one.name),
  )
}

function unknown(key: TaskSetting | MethodSetting, name: string, known: readonly string[]): Error {
  const [near] = nearNames(name, [...known])
  const hint = near === undefined ? '' : `: perhaps ${near}`
  const what = key.includes('Methods') ? 'method' : 'task'
  return new Error(`${SETTINGS[key].env} names ${name}, and there is no such ${what}${hint}`)
}
