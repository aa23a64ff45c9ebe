import type { JsonWebKey } from 'node:crypto'

export function createMinimalSigner(
  privateJwk: JsonWebKey,
): (url: string, body: Buffer) => Record<string, string>
export function createMinimalVerifier(
  publicJwk: JsonWebKey,
): (request: { url: string; headers: Record<string, string>; body: Buffer }) => boolean
