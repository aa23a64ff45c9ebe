// Which senders `adwire receive` trusts, and who may pin their keys (spec 5), from its flags.

import { readFileSync, statSync } from 'node:fs'
import { sameAgentUrl } from '../../key-discovery/agent-url.ts'
import type { TrustedSeller } from '../../key-discovery/trusted-seller.ts'
import { defined } from '../../lib/defined.ts'
import { normaliseHost } from '../../lib/host-name.ts'
import type { Jwk } from '../../signing/ports.ts'
import { BadFlag, isWebUrl } from './flag-values.ts'

export interface SellerFlags {
  trust: readonly string[]
  publisher: readonly string[]
  pin: readonly string[]
}

/** Throws a BadFlag. */
export function sellersOf({ trust, publisher, pin }: SellerFlags): TrustedSeller[] {
  const sellers = new Map<string, TrustedSeller>()
  for (const text of trust) {
    const seller = sellerOf(text)
    const known = sellers.get(seller.agentUrl)
    if (known && known.jwksUrl !== seller.jwksUrl) {
      throw new BadFlag(`--trust ${seller.agentUrl} was given twice, with different key sets`)
    }
    sellers.set(seller.agentUrl, seller)
  }
  for (const text of publisher) addPublisher(sellers, text)
  for (const text of pin) addPin(sellers, text)
  return [...sellers.values()]
}

function sellerOf(text: string): TrustedSeller {
  const { first, second: jwksUrl } = split(text)
  for (const url of [first, jwksUrl ?? first]) {
    if (!isWebUrl(url)) throw new BadFlag(`--trust ${text} must be <agent-url>[=<jwks-url>]`)
  }
  return { agentUrl: sameAgentUrl(first), ...defined({ jwksUrl }) }
}

/** A URL may contain "=" in its query; the second part begins where another URL does. */
function split(text: string): { first: string; second?: string } {
  const at = text.search(/=https?:\/\//i)
  return at < 0 ? { first: text } : { first: text.slice(0, at), second: text.slice(at + 1) }
}

/** For one seller or for all: an adagents.json lists the keys of each agent separately. */
function addPublisher(sellers: Map<string, TrustedSeller>, text: string): void {
  const { first: publisher, second: agentUrl } = split(text)
  const isOrigin = isWebUrl(publisher) && new URL(publisher).pathname === '/'
  if (!isOrigin && !normaliseHost(publisher).ok) {
    throw new BadFlag(
      `--publisher ${text} must be <domain>[=<agent-url>], such as --publisher news.example`,
    )
  }
  const meant = agentUrl === undefined ? [...sellers.values()] : [trusted(sellers, agentUrl)]
  if (meant.length === 0 || meant.includes(undefined)) {
    throw new BadFlag(`--publisher ${text} pins keys of a seller: give its --trust as well`)
  }
  for (const seller of meant as TrustedSeller[]) {
    const publishers = [...new Set([...(seller.publishers ?? []), publisher])]
    sellers.set(seller.agentUrl, { ...seller, publishers })
  }
}

function addPin(sellers: Map<string, TrustedSeller>, text: string): void {
  const at = text.lastIndexOf('=@')
  const [agentUrl, path] = [text.slice(0, at), text.slice(at + 2)]
  if (at < 1 || path === '' || !isWebUrl(agentUrl)) {
    throw new BadFlag(
      `--pin ${text} must be <agent-url>=@<file>, where the file holds its public keys as a JWKS`,
    )
  }
  const seller = trusted(sellers, agentUrl)
  if (!seller) throw new BadFlag(`--pin ${agentUrl} needs --trust ${agentUrl}`)
  if (seller.pin)
    throw new BadFlag(`--pin ${agentUrl} was given twice: use one file for all its keys`)
  sellers.set(seller.agentUrl, { ...seller, pin: keysIn(path, agentUrl) })
}

function trusted(sellers: ReadonlyMap<string, TrustedSeller>, agentUrl: string) {
  return sellers.get(sameAgentUrl(agentUrl))
}

/** More than that is the wrong file. */
const MAX_PIN_BYTES = 256 * 1_024

function keysIn(path: string, agentUrl: string): Jwk[] {
  const wrong = (why: string) => new BadFlag(`--pin ${agentUrl}=@${path}: ${why}`)
  let document: unknown
  try {
    if (statSync(path).size > MAX_PIN_BYTES) throw wrong(`larger than ${MAX_PIN_BYTES} bytes`)
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof BadFlag) throw error
    if (error instanceof SyntaxError) throw wrong('the file is no JSON')
    throw wrong('the file cannot be read')
  }
  const listed = Array.isArray(document) ? document : (document as { keys?: unknown } | null)?.keys
  if (!Array.isArray(listed) || listed.length === 0) {
    throw wrong('the file has no keys: {"keys": […]} is expected')
  }
  const kids = new Set<string>()
  for (const key of listed as Partial<Jwk>[]) {
    if (typeof key?.kid !== 'string' || typeof key.kty !== 'string') {
      throw wrong('every key needs a kid and a kty')
    }
    if ('d' in key)
      throw wrong(`the key ${key.kid} is a private one: keep it, and pin its public part`)
    if (kids.has(key.kid)) throw wrong(`the kid ${key.kid} appears twice`)
    kids.add(key.kid)
  }
  return listed as Jwk[]
}
