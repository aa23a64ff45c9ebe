// What an organisation publishes to prove that it speaks for a domain: one value, in a TXT record or in a file. The
// value is derived from both and a secret of this registry, so nobody can use another's, and nothing has to be stored
// or to expire: every verification looks for it again.

import { createHmac } from 'node:crypto'
import { wordsFor } from '../protocol/domain-authority.ts'

export interface Challenge {
  domain: string
  /** Null if the name would be longer than DNS allows: then only the file can be used. */
  dns_txt: { name: string; value: string } | null
  file: { url: string; value: string }
}

/** Returns the challenge for an organisation and a host. */
export type MakeChallenge = (organizationId: string, host: string) => Challenge

const TXT_LABEL = '_adwire-challenge'
const FILE_PATH = '/.well-known/adwire-verification.txt'
const MAX_NAME_CHARS = 253

export function challengesBy(secret: string): MakeChallenge {
  return (organizationId, host) => {
    // Neither contains a line break, so no two pairs give the same text.
    const about = `${organizationId}\n${host}`
    const digest = createHmac('sha256', secret).update(about).digest('base64url')
    const value = `adwire-domain-proof=${digest}`
    const name = `${TXT_LABEL}.${host}`
    return {
      domain: host,
      dns_txt: name.length <= MAX_NAME_CHARS ? { name, value } : null,
      file: { url: `https://${host}${FILE_PATH}`, value },
    }
  }
}

/** For a domain, and for the registrable domain above it that also speaks for it, if there is one. */
export function challengesFor(
  make: MakeChallenge,
  organizationId: string,
  domain: string,
): { own: Challenge; parent: Challenge | null } {
  const parent = wordsFor(domain).find(({ of }) => of === 'parent')
  return {
    own: make(organizationId, domain),
    parent: parent ? make(organizationId, parent.host) : null,
  }
}
