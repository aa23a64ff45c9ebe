// Where an A2A caller wants updates about a task (spec 2.9, 6.1): validated, stored as a channel of the sender,
// and returned without its secrets.

import { randomUUID } from 'node:crypto'
import type { Transact } from '../../lib/transaction.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { subjectOfTask } from '../../webhooks/sender/emit.ts'
import type { ChannelCheck, WantedChannel } from '../../webhooks/sender/register-channel.ts'
import type { Channel, ChannelStore } from '../../webhooks/sender/store.ts'
import type { Generation } from './generation.ts'
import { A2A_TTL_MS } from './store.ts'

/** The part of a registration that its owner may see. */
export interface SerializedRegistration {
  taskId: string
  configId: string
  url: string
  /** Scheme of the Authorization header that the receiver requires, if any. */
  scheme: string | undefined
}

/** A registration as it was sent, in either generation's shape. */
type WantedPush =
  | { ok: true; push: { configId: string; config: unknown } }
  | { ok: false; fault: string }

interface PushTarget {
  owner: string
  taskId: string
  /** The A2A shape that is sent to the receiver. */
  generation: Generation
}

export interface PushRegistrations {
  /** Stores it for the owner's task; returns an error if the task or the owner has reached its limit. */
  register(
    at: PushTarget,
    push: (WantedPush & { ok: true })['push'],
  ): Promise<SerializedRegistration | { fault: string }>
  list(owner: string, taskId: string): Promise<SerializedRegistration[]>
  /** False when there is none. */
  remove(key: { owner: string; taskId: string; configId: string }): Promise<boolean>
  /** Judges what a caller sent. */
  read(config: unknown): WantedPush
}

export interface PushPorts {
  transact: Transact
  channels: Pick<ChannelStore, 'put' | 'list' | 'delete'>
  check: (wanted: WantedChannel) => ChannelCheck
}

/** Most registrations of one task. */
const MAX_PUSH_PER_TASK = 10
const FULL = { fault: `a task has at most ${MAX_PUSH_PER_TASK} of these` }
const MAX_ID_CHARS = 255

export function createPushRegistrations({
  transact,
  channels,
  check,
}: PushPorts): PushRegistrations {
  return {
    register: (at, { configId, config }) =>
      transact(async (tx) => {
        const expires_at = (await tx.now()) + A2A_TTL_MS
        const checked = check({ ...wantedChannel(at, configId, config), expires_at })
        if (!checked.ok) throw new Error(faultOf(checked.issues))
        const kept = await channels.put(tx, checked.channel, MAX_PUSH_PER_TASK)
        return kept === 'full' ? FULL : returned(kept, at.taskId)
      }).catch((error: unknown) => {
        if (error instanceof ProtocolError) return { fault: error.message }
        throw error
      }),
    list: async (owner, taskId) => {
      const found = await channels.list(owner, subjectOfTask(taskId))
      return found.filter(({ form }) => form !== 'mcp').map((channel) => returned(channel, taskId))
    },
    remove: ({ owner, taskId, configId }) =>
      transact((tx) =>
        channels.delete(tx, { owner, subject: subjectOfTask(taskId), name: nameOf(configId) }),
      ),
    read: (config) => readPush(config, check),
  }
}

function readPush(config: unknown, check: PushPorts['check']): WantedPush {
  if (!isObject(config)) return refuse('a push notification config must be an object')
  const { id } = config
  if (id !== undefined && id !== null && (typeof id !== 'string' || id.length > MAX_ID_CHARS)) {
    return refuse(`id must be a string of at most ${MAX_ID_CHARS} characters`)
  }
  const configId = typeof id === 'string' && id !== '' ? id : randomUUID()
  const nobody = { owner: '', taskId: '', generation: '1.0' } as const
  const checked = check(wantedChannel(nobody, configId, config))
  if (!checked.ok) return refuse(faultOf(checked.issues))
  return { ok: true, push: { configId, config } }
}

function wantedChannel(
  { owner, taskId, generation }: PushTarget,
  configId: string,
  config: unknown,
): WantedChannel {
  const form = `a2a-${generation}` as const
  const key = { owner, subject: subjectOfTask(taskId), name: nameOf(configId) }
  return { ...key, form, config, pointer: '' }
}

const NAME_PREFIX = 'a2a:'

/** Apart from the name of the channel that the protocol's own member registers. */
function nameOf(configId: string): string {
  return `${NAME_PREFIX}${configId}`
}

function returned({ name, url, scheme }: Channel, taskId: string): SerializedRegistration {
  const isLegacy = scheme !== 'rfc9421'
  return {
    taskId,
    configId: name.slice(NAME_PREFIX.length),
    url,
    scheme: isLegacy ? scheme : undefined,
  }
}

function faultOf(issues: readonly { pointer: string; message: string }[]): string {
  return issues.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`).join('; ')
}

function refuse(fault: string): WantedPush {
  return { ok: false, fault }
}
