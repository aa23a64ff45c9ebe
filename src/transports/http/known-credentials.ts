// Which credentials were recently accepted. The queue position of a request is decided before its key is looked up; a
// made-up key must not count as a separate caller, or a third party could get any number of turns. This does not
// authenticate anyone.

import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createRecentCache } from '../../lib/recent-cache.ts'

type CredentialHeaders = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

export interface KnownCredentials {
  /** Remembers that these headers were accepted. */
  note(headers: CredentialHeaders): void
  /** A name for the credential, if it was recently accepted; it does not reveal the secret. */
  nameOf(headers: CredentialHeaders): string | undefined
}

const REMEMBERED = 10_000

export function createKnownCredentials(): KnownCredentials {
  const known = createRecentCache<true>(REMEMBERED)
  return {
    note: (headers) => {
      const digest = digestOf(headers)
      if (digest !== undefined) known.set(digest, true)
    },
    nameOf: (headers) => {
      const digest = digestOf(headers)
      return digest !== undefined && known.get(digest) ? digest : undefined
    },
  }
}

function digestOf({ authorization, cookie }: CredentialHeaders): string | undefined {
  const credential = authorization ?? cookie
  if (credential === undefined) return undefined
  return hash('sha256', credential, 'base64')
}
