// Parses the values of the flags of `adwire receive`.

import { isUrl } from '../../lib/is-url.ts'
import { readSecretValue } from './secret-value.ts'

/** What is wrong with a flag; printed unchanged, so it contains no secret. */
export class BadFlag extends Error {}

export function secrets(flag: string, texts: readonly string[], what: string): Map<string, string> {
  const read = [...pairs(flag, texts, what)].map(([name, text]): [string, string] => {
    const secret = readSecretValue(text)
    if (!secret.ok) throw new BadFlag(`the ${what} of ${flag} ${name} ${secret.error}`)
    return [name, secret.value]
  })
  return new Map(read)
}

/** The message contains only the route: secrets must not be printed. */
export function pairs(flag: string, texts: readonly string[], what: string): Map<string, string> {
  const map = new Map<string, string>()
  for (const text of texts) {
    const at = text.indexOf('=')
    const name = text.slice(0, at)
    const value = text.slice(at + 1)
    if (at < 1 || value === '' || name.includes('/')) {
      throw new BadFlag(`${flag} must be <route>=<${what}>, such as ${flag} acme=…`)
    }
    if (map.has(name)) throw new BadFlag(`${flag} was given twice for the route ${name}`)
    map.set(name, value)
  }
  return map
}

export function wholeNumber(
  flag: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  throw new BadFlag(`${flag} must be a whole number from ${min} to ${max}`)
}

export function urlOrNone(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || isWebUrl(text)) return text
  throw new BadFlag(`${flag} must be a URL that begins with https:// or http://`)
}

export function isWebUrl(text: string): boolean {
  return isUrl(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}
