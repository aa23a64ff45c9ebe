// The world that the graders refer to, on this machine: brands and their manifests, pictures of any size, and the
// keys that they sign requests with, with the list of those that are revoked. `.example` resolves nowhere, so the
// server under test is configured to look here.
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const FIXTURES = new URL('./fixtures/', import.meta.url).pathname

/** Hosts that the fixtures and storyboards name. */
const HOSTS = [
  'acmeoutdoor.example',
  'novamotors.example',
  'test-assets.adcontextprotocol.org',
  'cdn.pinnacle-agency.example',
  'via.placeholder.com',
]

const REVOKED = ['test-revoked-2026']
const LIST_SIGNER = 'test-ed25519-2026'

export async function startFixtureServer() {
  const server = createServer((request, response) => {
    answer(request, `http://${request.headers.host}`).then(
      ({ status = 200, type, body }) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  return {
    url,
    jwksUrl: `${url}/jwks.json`,
    egressHosts: HOSTS.map((host) => `${host}=${url}/${host}`).join(','),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function answer({ url = '/' }, origin) {
  const { pathname } = new URL(url, origin)
  if (pathname === '/jwks.json') return json({ keys: vectorKeys().map(publicPart) })
  if (pathname === '/.well-known/governance-revocations.json') {
    return { type: 'application/jose+json', body: revocationList(origin) }
  }
  const [, host, ...path] = pathname.split('/')
  if (path.join('/') === '.well-known/brand.json') {
    const file = join(FIXTURES, 'brands', host, 'brand.json')
    return { type: 'application/json', body: readFileSync(file) }
  }
  if (/\.(?:png|jpe?g|webp)$|\d+x\d+$/.test(pathname)) return picture(pathname)
  return { status: 404, type: 'text/plain', body: 'not here' }
}

function json(value) {
  return { type: 'application/json', body: JSON.stringify(value) }
}

async function picture(pathname) {
  const sharp = require('sharp')
  const [, width = '1200', height = '628'] = /(\d+)x(\d+)/.exec(pathname) ?? []
  const size = { width: Number(width), height: Number(height), channels: 3, background: '#1B5E20' }
  const body = await sharp({ create: size }).png().toBuffer()
  return { type: 'image/png', body }
}

function vectorKeys() {
  const { getComplianceCacheDir } = require('@adcp/sdk/testing')
  const file = join(getComplianceCacheDir(), 'test-vectors/request-signing/keys.json')
  return JSON.parse(readFileSync(file, 'utf8')).keys
}

function publicPart({ kid, kty, crv, alg, use, key_ops, adcp_use, x, y }) {
  return { kid, kty, crv, alg, use, key_ops, adcp_use, x, ...(y === undefined ? {} : { y }) }
}

/** A list as the protocol has it: signed by a key of the same set, and good for some minutes. */
function revocationList(origin) {
  const key = vectorKeys().find(({ kid }) => kid === LIST_SIGNER)
  const jwk = { kty: key.kty, crv: key.crv, x: key.x, d: key._private_d_for_test_only }
  const now = Date.now()
  const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = base64({ alg: 'EdDSA', kid: LIST_SIGNER, typ: 'adcp-gov-revocation+jws' })
  const payload = base64({
    version: 1,
    issuer: origin,
    revoked_kids: REVOKED,
    revoked_jtis: [],
    updated: new Date(now - 1_000).toISOString(),
    next_update: new Date(now + 600_000).toISOString(),
  })
  const signed = sign(
    null,
    Buffer.from(`${head}.${payload}`),
    createPrivateKey({ key: jwk, format: 'jwk' }),
  )
  return `${head}.${payload}.${signed.toString('base64url')}`
}
