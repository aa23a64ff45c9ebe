// A real OpenID provider in a process of its own, for the tests of user tokens and of the console. Each of the first
// clients is one user who gets a JWT access token by client_credentials, for the audience named as `resource`; with the
// client `console` people sign in, by their name and any password, and have the groups that were set with POST /groups.
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
  const answer = createProvider(issuer).callback()
  server.on('request', (request, response) => {
    if (request.url === '/groups') setGroups(request, response)
    else answer(request, response)
  })
  process.stdout.write(`${JSON.stringify({ issuer, jwksUrl: `${issuer}/jwks` })}\n`)
})

const groups = new Map()
function setGroups(request, response) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { user, groups: names } = JSON.parse(Buffer.concat(chunks).toString())
    groups.set(user, names)
    response.end('{}')
  })
}

const consoleClient = {
  client_id: 'console',
  client_secret: 'secret-of-console',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  // Any of this machine: the port is known only later.
  redirect_uris: ['http://127.0.0.1/console/oidc/callback'],
  application_type: 'native',
}

function createProvider(issuer) {
  return new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig' }] },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...USERS[id], groups: groups.get(id) ?? [] }),
    }),
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    scopes: ['openid', 'offline_access', 'groups'],
    // Everybody agrees to what the console requests.
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email groups offline_access')
      await grant.save()
      return grant
    },
    issueRefreshToken: async (_ctx, client) => client.clientId === 'console',
    clients: [
      consoleClient,
      ...Object.keys(USERS).map((client_id) => ({
        client_id,
        client_secret: `secret-of-${client_id}`,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      })),
    ],
    extraTokenClaims: (_ctx, token) => USERS[token.clientId],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
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
