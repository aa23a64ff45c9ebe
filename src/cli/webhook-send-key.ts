// The key of a test webhook: from a file, generated for one use, or generated and stored; and a small server on
// loopback that publishes it as a seller does (spec 5), for receivers that look keys up.

import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operatorManifest } from '../keys/operator-manifest.ts'
import type { Identifiers } from '../protocol/identifiers.ts'
import { generateKeyPair, publicJwkOf } from '../signing/keys.ts'
import type { Jwk } from '../signing/ports.ts'
import { UsageError } from './terminal.ts'
import { readPrivateKey } from './webhook-files.ts'

export interface SendKey {
  privateJwk: Jwk
  publicJwk: Jwk
  isNew: boolean
}

const PURPOSE = 'webhook-signing'

export function keyFrom(
  { key, makeKey = false }: { key?: string; makeKey?: boolean },
  { keyUse }: Identifiers,
): SendKey {
  if (makeKey && key === undefined) throw new UsageError('--make-key needs --key with a file')
  if (key !== undefined && !(makeKey && !existsSync(key))) {
    const privateJwk = readPrivateKey(key)
    const published = { alg: algOf(privateJwk), use: 'sig', [keyUse]: PURPOSE, ...privateJwk }
    return { privateJwk, publicJwk: publicJwkOf(published), isNew: false }
  }
  const pair = generateKeyPair('ed25519', { keyUse, purpose: PURPOSE })
  if (key !== undefined) keep(key, pair.privateJwk)
  return { ...pair, isNew: true }
}

function algOf({ kty }: Jwk): string {
  return kty === 'EC' ? 'ES256' : 'EdDSA'
}

/** Readable only by its owner; an existing file is never overwritten. */
function keep(file: string, jwk: Jwk): void {
  try {
    writeFileSync(file, `${JSON.stringify(jwk)}\n`, { mode: 0o600, flag: 'wx' })
  } catch {
    throw new UsageError(
      `cannot write the key to ${file}: use a file in a folder that you can write to`,
    )
  }
}

export interface KeyServer {
  url: string
  close(): Promise<void>
}

/** Serves two paths, and only on this machine. */
export async function serveKeys(publicJwk: Jwk, port: number): Promise<KeyServer> {
  let url = ''
  const server = createServer((request, response) => {
    const documents = new Map<string, unknown>([
      ['/.well-known/brand.json', operatorManifest({ publicUrl: url, agentUrl: url })],
      ['/.well-known/jwks.json', { keys: [publicJwk] }],
    ])
    const found = documents.get(request.url ?? '')
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { error: 'nothing is served at this path' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new UsageError(
          `--serve-keys: port ${port} is in use: choose another, or 0 for a free port`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, close }
}
