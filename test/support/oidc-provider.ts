// Starts the OpenID provider of oidc-provider-process.mjs and asks it for tokens.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface OidcProvider {
  issuer: string
  jwksUrl: string
  /** A real access token of the user for the audience, good for sixty seconds. */
  token(user: 'ada' | 'bob', audience: string): Promise<string>
  /** The groups of a person who signs in. */
  setGroups(user: string, groups: readonly string[]): Promise<void>
  stop(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('./oidc-provider-process.mjs', import.meta.url))

export async function startOidcProvider({ port = 0, keyId = 'key-1' } = {}): Promise<OidcProvider> {
  const child = spawn(process.execPath, [SCRIPT, String(port), keyId], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { issuer, jwksUrl } = await readiness(child)
  return {
    issuer,
    jwksUrl,
    token: async (user, audience) => {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: user,
          client_secret: `secret-of-${user}`,
          resource: audience,
        }),
      })
      const { access_token } = (await response.json()) as { access_token?: string }
      if (!access_token) throw new Error(`the provider gave no token: ${response.status}`)
      return access_token
    },
    setGroups: async (user, groups) => {
      const body = JSON.stringify({ user, groups })
      await (await fetch(`${issuer}/groups`, { method: 'POST', body })).text()
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function readiness(child: ChildProcess): Promise<{ issuer: string; jwksUrl: string }> {
  if (!child.stdout) throw new Error('the provider is started with a pipe')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line) as { issuer: string; jwksUrl: string }
  }
  throw new Error('the provider ended before it was ready')
}
