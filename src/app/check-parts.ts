// What a program passes to `createApp`, checked before anything is opened: a missing limit would be no limit, and a
// misspelt part would be ignored.

import { nearNames } from '../lib/near-names.ts'
import type { Extensions } from './extensions.ts'
import { ConfigError } from './make-config.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

/** Throws a ConfigError that names every setting without a value. */
export function refuseIncompleteConfig(config: unknown): void {
  const given = (typeof config === 'object' && config !== null ? config : {}) as Record<
    string,
    unknown
  >
  const missing = (Object.entries(SETTINGS) as [string, Setting<unknown>][])
    .filter(([key, setting]) => given[key] === undefined && !mayBeUnset(setting))
    .map(([key]) => key)
  if (missing.length === 0) return
  throw new ConfigError(missing.map((key) => `${key} is missing: build the config with makeConfig`))
}

function mayBeUnset({ parse, default: usual }: Setting<unknown>): boolean {
  const parsed = parse(usual)
  return parsed.ok && parsed.value === undefined
}

type PartName = keyof Extensions | 'log'
type PartCheck = (value: unknown) => string | undefined

/** Throws a TypeError for a part that does not exist or lacks a method. */
export function refuseBadParts(parts: unknown): void {
  if (typeof parts !== 'object' || parts === null) {
    throw new TypeError('the second argument of createApp must be an object of parts')
  }
  for (const [name, value] of Object.entries(parts)) {
    if (!Object.hasOwn(PARTS, name)) {
      const [near] = nearNames(name, Object.keys(PARTS))
      const hint = near === undefined ? Object.keys(PARTS).join(', ') : `did you mean ${near}?`
      throw new TypeError(`createApp has no part named ${name}: ${hint}`)
    }
    if (value === undefined) continue
    const fault = PARTS[name as PartName](value)
    if (fault !== undefined) throw new TypeError(`createApp: ${name} ${fault}`)
  }
}

const PARTS: Readonly<Record<PartName, PartCheck>> = {
  log: withMethods('debug', 'info', 'warn', 'error'),
  signers: eachOf((signer) => {
    const { keyid } = (signer ?? {}) as { keyid?: unknown }
    if (typeof keyid !== 'string' || keyid === '') return 'must have a keyid'
    return withMethods('sign')(signer)
  }),
  moreTasks: (value) => {
    if (typeof value === 'function') return undefined
    return eachOf(withMethods('handle'))(value)
  },
  connectors: (value) => {
    if (!isObject(value)) return 'must be an object that maps platform names to connectors'
    for (const [platform, connector] of Object.entries(value)) {
      const fault = withMethods('activate', 'deactivate')(connector)
      if (fault !== undefined) return `of ${platform} ${fault}`
    }
    return undefined
  },
  deliverySource: withMethods('deliveryOf'),
  signalSearch: withMethods('search', 'status'),
  generator: (value) => (isObject(value) ? undefined : 'must be an object'),
  routes: isFunction,
  resolveTxt: isFunction,
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isFunction(value: unknown): string | undefined {
  return typeof value === 'function' ? undefined : 'must be a function'
}

function withMethods(...names: readonly string[]): PartCheck {
  return (value) => {
    const missing = names.filter((name) => !isObject(value) || typeof value[name] !== 'function')
    return missing.length === 0
      ? undefined
      : `must have ${missing.length === 1 ? 'the method' : 'the methods'} ${missing.join(', ')}`
  }
}

function eachOf(check: PartCheck): PartCheck {
  return (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    for (const [index, one] of value.entries()) {
      const fault = check(one)
      if (fault !== undefined) return `at ${index} ${fault}`
    }
    return undefined
  }
}
