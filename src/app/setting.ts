// What a setting is: a name in the environment, a flag, a default, and the one way to read it.

import { isUrl } from '../lib/is-url.ts'

type Parsed<T> = { ok: true; value: T } | { ok: false; error: string }

export interface Setting<T> {
  env: string
  /** The flag of commands, without its dashes. */
  flag: string
  /** The placeholder for the value in the help; empty for a switch. */
  placeholder: string
  about: string
  /** As displayed and, unless empty, parsed when no value was given. */
  default: string
  /** Never written to logs. */
  secret: boolean
  parse(text: string): Parsed<T>
}

interface Description {
  env: string
  about: string
  default: string
  placeholder?: string
  secret?: boolean
}

function setting<T>(description: Description, parse: Setting<T>['parse']): Setting<T> {
  const flag = description.env
    .replace(/^ADWIRE_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
  return { placeholder: 'value', secret: false, ...description, flag, parse }
}

/** A text; an empty one means "not set" and is read as undefined. */
export function text(
  description: Description & { pattern?: RegExp; example?: string },
): Setting<string | undefined> {
  const { pattern, example } = description
  return setting(description, (value) => {
    if (value === '') return { ok: true, value: undefined }
    if (pattern && !pattern.test(value)) return { ok: false, error: `must look like ${example}` }
    return { ok: true, value }
  })
}

/** A text that always has a value, if only its default. */
export function requiredText(
  description: Description & { pattern?: RegExp; example?: string },
): Setting<string> {
  const { pattern, example } = description
  return setting(description, (value) => {
    if (value === '' || (pattern && !pattern.test(value))) {
      return { ok: false, error: `must look like ${example ?? description.default}` }
    }
    return { ok: true, value }
  })
}

/** A text that always has a value; `fault` returns what is wrong with it, or nothing. */
export function checkedText(
  description: Description & { fault: (value: string) => string | undefined },
): Setting<string> {
  return setting(description, (value) => {
    const error = description.fault(value)
    return error === undefined ? { ok: true, value } : { ok: false, error }
  })
}

export function integer(description: Description & { min: number; max: number }): Setting<number> {
  const { min, max } = description
  return setting({ placeholder: 'n', ...description }, (value) => {
    const number = Number(value)
    if (!/^-?\d+$/.test(value) || number < min || number > max) {
      return { ok: false, error: `must be a whole number from ${min} to ${max}` }
    }
    return { ok: true, value: number }
  })
}

export function oneOf<const T extends string>(
  description: Description & { values: readonly T[] },
): Setting<T> {
  const { values } = description
  return setting(description, (value) =>
    values.includes(value as T)
      ? { ok: true, value: value as T }
      : { ok: false, error: `must be one of ${values.join(', ')}` },
  )
}

export function toggle(description: Description): Setting<boolean> {
  return setting({ ...description, placeholder: '' }, (value) => {
    if (['true', '1', 'yes', 'on'].includes(value)) return { ok: true, value: true }
    if (['false', '0', 'no', 'off', ''].includes(value)) return { ok: true, value: false }
    return { ok: false, error: 'must be true or false' }
  })
}

/** A comma-separated list; `check` returns what is wrong with a part, or nothing. */
export function list(
  description: Description & { check: (part: string) => string | undefined },
): Setting<readonly string[]> {
  return setting({ placeholder: 'a,b', ...description }, (value) => {
    const parts = value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    for (const part of parts) {
      const fault = description.check(part)
      if (fault) return { ok: false, error: `"${part}" ${fault}` }
    }
    return { ok: true, value: parts }
  })
}

/** A URL that `fault` judges, as the end of a sentence. */
export function checkedUrl(
  description: Description & { fault: (value: string) => string | undefined },
): Setting<string | undefined> {
  return setting({ placeholder: 'url', ...description }, (value) => {
    if (value === '') return { ok: true, value: undefined }
    const error = description.fault(value)
    return error === undefined ? { ok: true, value } : { ok: false, error }
  })
}

export function url(
  description: Description & { schemes: readonly string[] },
): Setting<string | undefined> {
  const { schemes } = description
  return setting({ placeholder: 'url', ...description }, (value) => {
    if (value === '') return { ok: true, value: undefined }
    if (!isUrl(value) || !schemes.includes(new URL(value).protocol.slice(0, -1))) {
      return { ok: false, error: `must be a URL that begins with ${schemes.join(':// or ')}://` }
    }
    return { ok: true, value }
  })
}
