// Which credentials were accepted of late. Whose turn a request takes is decided before its key is looked up; a made-up
// key must not count as a caller of its own, or a stranger could have any number of turns. Nothing is admitted by this.

import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createRecentCache } from '../../lib/recent-cache.ts'

type CredentialHeaders = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>

export interface KnownCredentials {
  /** Remembers that these headers were accepted. */
  note(headers: CredentialHeaders): void
  /** A name for the credential, if it was accepted of late; the secret cannot be read from it. */
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
