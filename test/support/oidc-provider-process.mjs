// A real OpenID provider in a process of its own, for the tests of user tokens. Each client is one
// user who gets a JWT access token by client_credentials, for the audience named as `resource`.
// Arguments: port (0 for a free one) and the id of its signing key. Prints one JSON line when ready.

import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const [, , port = '0', keyId = 'key-1'] = process.argv
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const USERS = {
  ada: { email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' },
  bob: { email: 'bob@acme.example', email_verified: false },
}

const server = createServer()
server.listen(Number(port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  server.on('request', createProvider(issuer).callback())
  process.stdout.write(`${JSON.stringify({ issuer, jwksUrl: `${issuer}/jwks` })}\n`)
})

function createProvider(issuer) {
  return new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig' }] },
    clients: Object.keys(USERS).map((client_id) => ({
      client_id,
      client_secret: `secret-of-${client_id}`,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    extraTokenClaims: (_ctx, token) => USERS[token.clientId],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          audience: resource,
          scope: 'registry',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 60,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
}
