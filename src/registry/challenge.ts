// What an organisation publishes to prove that it speaks for a domain: one value, in a TXT record or in
// a file. The value is made of both and a secret of this registry, so nobody can use another's, and
// nothing needs to be stored or to expire: it is looked for at every verification.

import { createHmac } from 'node:crypto'
import { wordsFor } from '../protocol/domain-authority.ts'

export interface Challenge {
  domain: string
  /** Null where the name would be longer than DNS allows: then there is only the file. */
  dns_txt: { name: string; value: string } | null
  file: { url: string; value: string }
}

/** Gives the challenge for an organisation and a host. */
export type MakeChallenge = (organizationId: string, host: string) => Challenge

const TXT_LABEL = '_adwire-challenge'
const FILE_PATH = '/.well-known/adwire-verification.txt'
const MAX_NAME_CHARS = 253

export function challengesBy(secret: string): MakeChallenge {
  return (organizationId, host) => {
    // Neither holds a line break, so no two pairs give the same text.
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

/** For a domain, and for the registrable domain above it that speaks for it as well, if there is one. */
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
