// Where an A2A caller wants to be told of a task (spec 2.9, 3.2): checked, kept for whoever delivers,
// and shown again without its secrets. Nothing is delivered from here.

import { randomUUID } from 'node:crypto'
import type { UrlCheck } from '../../lib/safe-fetch/safe-fetch.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Transact } from '../../lib/transaction.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { A2A_TTL_MS, type PushRegistration, type PushRegistrationStore } from './store.ts'

/** What of a registration its owner may see. */
export type ShownRegistration = Omit<PushRegistration, 'secrets'>

/** A registration as it was sent, in either generation's shape. */
export type WantedPush =
  | { ok: true; push: Omit<PushRegistration, 'owner' | 'taskId' | 'secrets'> & PushSecrets }
  | { ok: false; fault: string }

export interface PushSecrets {
  /** Repeated to the receiver, which knows us by it. */
  token: string | undefined
  credentials: string | undefined
}

export interface PushRegistrations {
  /** Keeps it for the task of the owner; `full` when the task has as many as it may have. */
  register(
    at: Pick<PushRegistration, 'owner' | 'taskId'>,
    push: (WantedPush & { ok: true })['push'],
  ): Promise<ShownRegistration | 'full'>
  list(owner: string, taskId: string): Promise<ShownRegistration[]>
  /** False when there is none. */
  remove(key: Pick<PushRegistration, 'owner' | 'taskId' | 'configId'>): Promise<boolean>
  /** Judges what a caller sent. */
  read(config: unknown): WantedPush
}

export interface PushPorts {
  transact: Transact
  registrations: PushRegistrationStore
  /** Judges a URL by its text, as the guard of outbound requests will. */
  checkUrl: (url: string) => UrlCheck
  /** Seals secrets for storage. Default: they are stored as they are. */
  box?: SecretBox | undefined
}

/** Most registrations of one task. */
export const MAX_PUSH_PER_TASK = 10
const MAX_TEXT_CHARS = 4_096

export function createPushRegistrations(ports: PushPorts): PushRegistrations {
  const { transact, registrations, box } = ports
  return {
    register: async (at, { token, credentials, ...shown }) => {
      const registration = { ...at, ...shown }
      const secrets = { ...(token ? { token } : {}), ...(credentials ? { credentials } : {}) }
      const text = JSON.stringify(secrets)
      const sealed =
        text === '{}' ? undefined : (box?.seal(text, sealContext(registration)) ?? text)
      const limits = { most: MAX_PUSH_PER_TASK, ttlMs: A2A_TTL_MS }
      const outcome = await transact((tx) =>
        registrations.put(tx, { ...registration, secrets: sealed }, limits),
      )
      return outcome === 'full' ? 'full' : registration
    },
    list: async (owner, taskId) => {
      const found = await registrations.list(owner, taskId)
      return found.map(({ secrets: _secrets, ...shown }) => shown)
    },
    remove: (key) => transact((tx) => registrations.delete(tx, key)),
    read: (config) => readPush(config, ports.checkUrl),
  }
}

/** What sealed secrets belong to: moved to another row, they do not open. */
export function sealContext({ owner, taskId, configId }: ShownRegistration): string {
  return JSON.stringify(['a2a push', owner, taskId, configId])
}

function readPush(config: unknown, checkUrl: PushPorts['checkUrl']): WantedPush {
  if (!isObject(config)) return refuse('a push notification config must be an object')
  const { id, url, token, authentication } = config
  if (typeof url !== 'string' || url === '') return refuse('a push notification config needs a url')
  const checked = checkUrl(url)
  if (!checked.ok) return refuse(`the url cannot be delivered to: ${checked.message}`)
  const auth = isObject(authentication) ? authentication : {}
  const schemes = Array.isArray(auth.schemes) ? auth.schemes : []
  const { scheme = schemes[0], credentials } = auth
  const texts = { id, token, scheme, credentials }
  for (const [name, value] of Object.entries(texts)) {
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || value.length > MAX_TEXT_CHARS) {
      return refuse(`${name} must be a string of at most ${MAX_TEXT_CHARS} characters`)
    }
  }
  return {
    ok: true,
    push: {
      configId: textOr(id, randomUUID()),
      url,
      scheme: textOr(scheme, undefined),
      token: textOr(token, undefined),
      credentials: textOr(credentials, undefined),
    },
  }
}

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

function refuse(fault: string): WantedPush {
  return { ok: false, fault }
}
