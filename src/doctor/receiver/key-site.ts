// Publishes the doctor's own keys (spec 5), so that the receiver can find them like those of a seller: a brand.json,
// a key set, and a signed revocation list with one revoked key.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Identifiers } from '../../protocol/identifiers.ts'
import { generateKeyPair, type KeyPair } from '../../signing/keys.ts'
import { localSigner } from '../../signing/local-signer.ts'
import type { Signer } from '../../signing/ports.ts'

/** The doctor's keys. Checks that need a missing key are skipped. */
export interface DoctorKeys {
  main: Signer
  ecdsa?: Signer
  /** Published for something else. */
  otherPurpose?: Signer
  /** A published key that is on the revocation list. */
  revoked?: Signer
  /** Never published. */
  stranger: Signer
}

export interface KeySite {
  /** The agent that the receiver has to trust. */
  agentUrl: string
  keys: DoctorKeys
  close(): Promise<void>
}

/** The key pairs behind the published keys, one for each case that is tested. */
export interface DoctorPairs {
  main: KeyPair
  ecdsa: KeyPair
  otherPurpose: KeyPair
  revoked: KeyPair
}

export function makePairs({ keyUse }: Identifiers): DoctorPairs {
  const make = (purpose: string, algorithm: Signer['algorithm'] = 'ed25519') =>
    generateKeyPair(algorithm, { keyUse, purpose })
  return {
    main: make('webhook-signing'),
    ecdsa: make('webhook-signing', 'ecdsa-p256-sha256'),
    otherPurpose: make('response-signing'),
    revoked: make('webhook-signing'),
  }
}

export interface KeySiteOptions {
  names: Identifiers
  /** Stable across runs: a receiver that cached the keys of the last run would treat new ones as unknown. */
  pairs: DoctorPairs
  host: string
  port: number
  /** The public URL for the receiver, if it differs from the address the doctor listens on. */
  agentUrl: string | undefined
}

const REVOCATIONS_MS = 15 * 60_000

export async function openKeySite({
  names,
  pairs,
  host,
  port,
  agentUrl,
}: KeySiteOptions): Promise<KeySite> {
  const { main, ecdsa, otherPurpose, revoked } = pairs
  const published = [main, ecdsa, otherPurpose, revoked].map(({ publicJwk }) => publicJwk)

  const documents = new Map<string, object>()
  const server = createServer((request, response) => {
    const document = documents.get(request.url ?? '')
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
    response.end(document ? JSON.stringify(document) : '{}')
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  const displayedHost = host.includes(':') ? `[${host}]` : host
  const url = agentUrl ?? `http://${displayedHost}:${taken}/agent`
  const { origin } = new URL(url)
  const jwks_uri = `${origin}/.well-known/jwks.json`
  documents.set('/.well-known/brand.json', {
    agents: [{ type: 'sales', id: 'doctor', url, jwks_uri }],
  })
  documents.set('/.well-known/jwks.json', { keys: published })
  documents.set(
    '/.well-known/governance-revocations.json',
    await revocationList(main, { names, issuer: origin, kid: String(revoked.publicJwk.kid) }),
  )
  const signer = ({ privateJwk }: KeyPair) => localSigner(privateJwk)
  return {
    agentUrl: url,
    keys: {
      main: signer(main),
      ecdsa: signer(ecdsa),
      otherPurpose: signer(otherPurpose),
      revoked: signer(revoked),
      stranger: strangerOf(names),
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function strangerOf({ keyUse }: Identifiers): Signer {
  return localSigner(generateKeyPair('ed25519', { keyUse, purpose: 'webhook-signing' }).privateJwk)
}

async function revocationList(
  { privateJwk }: KeyPair,
  { names, issuer, kid }: { names: Identifiers; issuer: string; kid: string },
): Promise<object> {
  const { keyid, sign } = localSigner(privateJwk)
  const now = Date.now()
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = encode({
    version: 1,
    issuer,
    updated: new Date(now).toISOString(),
    next_update: new Date(now + REVOCATIONS_MS).toISOString(),
    revoked_jtis: [],
    revoked_kids: [kid],
  })
  const header = encode({ typ: names.revocationType, alg: 'EdDSA', kid: keyid })
  const signature = Buffer.from(await sign(Buffer.from(`${header}.${payload}`)))
  return {
    payload,
    signatures: [{ protected: header, signature: signature.toString('base64url') }],
  }
}
