// Tells a client which identity provider issues tokens for the registry (spec 5, OAuth 2.1): the protected-resource
// metadata of RFC 9728.

import { defined } from '../lib/defined.ts'
import { trimEnd } from '../lib/trim-end.ts'

export interface ResourceMetadataOptions {
  /** The public base URL of this server, without a trailing slash. */
  publicUrl: string
  /** The issuer of user tokens. Default: none, the registry accepts organisation keys only. */
  issuer?: string | undefined
  /** Scopes that a client may request from the issuer. */
  scopes: readonly string[]
}

export interface ResourceMetadata {
  resource: string
  authorization_servers?: string[]
  scopes_supported: string[]
  bearer_methods_supported: ['header']
  resource_name: string
}

/** The part of the server that tokens are for. */
const RESOURCE_PATH = '/api'

export function resourceMetadata({
  publicUrl,
  issuer,
  scopes,
}: ResourceMetadataOptions): ResourceMetadata {
  return {
    resource: resourceOf(publicUrl),
    ...defined({ authorization_servers: issuer === undefined ? undefined : [issuer] }),
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
    resource_name: 'Adwire registry',
  }
}

/** RFC 9728 §3.1: the well-known part goes between the host and the path of the resource. */
export function resourceMetadataUrl(publicUrl: string): string {
  const { origin, pathname } = new URL(resourceOf(publicUrl))
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

function resourceOf(publicUrl: string): string {
  return `${trimEnd(publicUrl, '/')}${RESOURCE_PATH}`
}
