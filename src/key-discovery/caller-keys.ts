// Finds which caller's key the keyid of a signed request refers to (spec 5). Keys that the operator registered come
// first, then those published at the registered addresses. Several callers may use the same keyid; the signature then
// determines which one it is. One key belongs to only one caller: the one it is registered for, else the one known to
// have published it first. Only registered addresses are fetched, whatever keyid a third party sends.

import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import type { LogLine } from '../lib/log-line.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { steadyClock } from '../lib/steady-clock.ts'
import type { CheckRevocation, FoundKey, Jwk, KeyNotFound } from '../signing/ports.ts'
import { createCallerLocator, type ReadCapabilities } from './caller-locator.ts'
import { createFetchLimiter } from './fetch-limiter.ts'
import { createRevocationCheck } from './revocation.ts'
import { createSenderKeys, type SenderKeys } from './sender-keys.ts'
import type { TrustedSeller } from './trusted-seller.ts'

/** What is registered for a principal: a key, or an address where its keys are published. @internal */
export interface KeyOnFile {
  key_id: string
  principal_id: string
  kind: 'jwk' | 'jwks_url' | 'agent_url'
  jwk?: Jwk
  url?: string
  pin?: readonly Jwk[]
}

/** A key that a request may have been signed with; `signer` is the principal. */
interface CallerKey extends FoundKey {
  /** What is on file of it. */
  key_id: string
}

export interface CallerKeysOptions {
  /** The registered keys with this key id. */
  byKid: (kid: string) => Promise<readonly KeyOnFile[]>
  /** All addresses on file. */
  addresses: () => Promise<readonly KeyOnFile[]>
  readCapabilities: ReadCapabilities
  egress: Pick<Egress, 'fetch'>
  /** The `typ` of a list of revoked keys. */
  revocationType: string
  /** Default: the system's clock. */
  clock?: Clock
  /** Called with the reason when a caller's keys could not be found. Default: none. */
  log?: { info: LogLine; warn: LogLine }
}

export interface CallerKeys {
  /** The registered keys of all callers or of one principal. Nothing is fetched. */
  onFile(keyid: string, only?: string): Promise<readonly CallerKey[]>
  /** Keys published at the registered addresses, of all callers or of one principal. */
  published(keyid: string, only?: string): Promise<readonly CallerKey[] | KeyNotFound>
  /** Whether a key may still be trusted according to its publisher's list; registered keys always are. */
  checkRevocation(keyid: string, key: Pick<CallerKey, 'key_id'>): ReturnType<CheckRevocation>
  /** What is on file has changed. */
  refresh(): void
}

/** A failure is worth retrying soon: callers receive this as the retry delay. */
const RETRY_SECONDS = 5
/** Maximum age of the address list when no change notification is received, in milliseconds. */
const LIST_MS = 3_000

export function createCallerKeys(options: CallerKeysOptions): CallerKeys {
  const { byKid, egress, readCapabilities, clock = steadyClock, log } = options
  const list = createAddressList(options.addresses, clock)
  const failureTtlMs = RETRY_SECONDS * 1_000
  const gate = createFetchLimiter()
  const published = createSenderKeys({
    sellers: list.sources,
    egress,
    locator: createCallerLocator({
      readCapabilities,
      fetch: egress.fetch,
      gate,
      clock,
      failureTtlMs,
    }),
    gate,
    failureTtlMs,
    clock,
    ...defined({ log }),
  })
  const revocation = createRevocationCheck({
    keys: published,
    egress,
    type: options.revocationType,
    clock,
    ...defined({ log }),
  })

  return {
    refresh: list.expire,
    onFile: async (keyid, only) =>
      (await byKid(keyid)).filter((one) => isOf(only, one)).flatMap(asKey),
    published: async (keyid, only) => {
      await list.load()
      const requested = list.now().filter(({ record }) => isOf(only, record))
      const found = await publishedKeys(
        published,
        keyid,
        only === undefined ? undefined : requested,
      )
      const owned = found.flatMap((key) => {
        const address = requested.find(({ source }) => source.agentUrl === key.signer)
        return address ? [{ key, address }] : []
      })
      const keys = owned.filter(({ address }) => !isShared(published, address, requested))
      if (owned.length > 0 && keys.length === 0) return SHARED
      if (keys.length === 0) return notFound(published, keyid, requested)
      return keys.map(({ key, address: { record } }) => ({
        ...key,
        signer: record.principal_id,
        key_id: record.key_id,
      }))
    },
    checkRevocation: (keyid, { key_id }) => {
      const address = list.now().find(({ record }) => record.key_id === key_id)
      return address ? revocation(keyid, address.source.agentUrl) : 'current'
    },
  }
}

function isOf(only: string | undefined, { principal_id }: KeyOnFile): boolean {
  return only === undefined || principal_id === only
}

function asKey({ key_id, principal_id, jwk }: KeyOnFile): CallerKey[] {
  return jwk ? [{ jwk, signer: principal_id, key_id }] : []
}

interface Address {
  record: KeyOnFile
  source: TrustedSeller
}

/** The list as last read; it is reloaded when it is old or has changed. */
function createAddressList(read: CallerKeysOptions['addresses'], clock: Clock) {
  let addresses: readonly Address[] = []
  let sources: readonly TrustedSeller[] = []
  let goodUntil = Number.NEGATIVE_INFINITY
  let flight: Promise<void> | undefined
  const load = async () => {
    if (clock.now() < goodUntil) return
    flight ??= read()
      .then((records) => {
        addresses = records.flatMap(addressOf)
        sources = addresses.map(({ source }) => source)
        goodUntil = clock.now() + LIST_MS
      })
      .finally(() => {
        flight = undefined
      })
    await flight
  }
  return {
    load,
    now: () => addresses,
    sources: () => sources,
    expire: () => {
      goodUntil = Number.NEGATIVE_INFINITY
    },
  }
}

function addressOf(record: KeyOnFile): Address[] {
  const { kind, url, pin } = record
  if (url === undefined) return []
  const jwksUrl = kind === 'jwks_url' ? url : undefined
  return [{ record, source: { agentUrl: url, ...defined({ jwksUrl, pin }) } }]
}

async function publishedKeys(
  { find }: Pick<SenderKeys, 'find'>,
  keyid: string,
  /** Undefined for all. */
  requested: readonly Address[] | undefined,
): Promise<readonly FoundKey[]> {
  const answers = requested
    ? await Promise.all(requested.map(({ source }) => find(keyid, { seller: source.agentUrl })))
    : [await find(keyid)]
  return answers.flatMap((answer) => answer ?? [])
}

/** Whether several principals have the same key set on file: there is no way to tell which of them signed. */
function isShared(
  { keySetUrl }: Pick<SenderKeys, 'keySetUrl'>,
  { record, source }: Address,
  requested: readonly Address[],
): boolean {
  const url = keySetUrl(source.agentUrl)
  if (url === undefined) return false
  return requested.some(
    (other) =>
      other.record.principal_id !== record.principal_id && keySetUrl(other.source.agentUrl) === url,
  )
}

const SHARED: KeyNotFound = {
  failure: 'signature_key_unknown',
  detail: 'several principals have this key set on file: send a bearer key to identify the caller',
}

/**
 * If no source that may have the key can be reached, all for the same reason, that reason is returned: it may be
 * temporary.
 */
function notFound(
  { faultOf }: Pick<SenderKeys, 'faultOf'>,
  keyid: string,
  requested: readonly Address[],
): KeyNotFound {
  const faults = requested.flatMap(({ source }) => faultOf(source.agentUrl, keyid) ?? [])
  const [first] = faults
  if (first && faults.every(({ failure }) => failure === first.failure)) return first
  return { failure: 'signature_key_unknown', detail: 'no caller on file has a key of this id' }
}
