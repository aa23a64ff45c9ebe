// Writes test/vectors/signing/: messages with the verdict each must get, and the keys they are
// signed with. Running it again writes the same bytes.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ACCEPTED } from './vectors/accepted.mjs'
import { KEYS } from './vectors/keys.mjs'
import { AFTER, CRYPTO } from './vectors/refused-crypto.mjs'
import { DISCOVERY } from './vectors/refused-discovery.mjs'
import { HEADERS } from './vectors/refused-headers.mjs'
import { BY_KEY, PARAMETERS } from './vectors/refused-parameters.mjs'
import { REQUESTS } from './vectors/refused-requests.mjs'
import { STRICT_REQUESTS } from './vectors/request-3.2.mjs'
import { POLICIES } from './vectors/request-digests.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = `${root}/test/vectors/signing`
mkdirSync(folder, { recursive: true })

const keys = Object.values(KEYS).map(({ jwk, d }) => ({ jwk, private_d_for_tests_only: d }))
write('keys', keys)
write('accepted', ACCEPTED)
write('refused-headers', HEADERS)
write('refused-parameters', PARAMETERS)
write('refused-keys', BY_KEY)
write('refused-crypto', CRYPTO)
write('refused-after', AFTER)
write('refused-requests', REQUESTS)
write('refused-discovery', DISCOVERY)
write('request-digests', POLICIES)
write('request-3.2', STRICT_REQUESTS)
spawnSync(`${root}/node_modules/.bin/biome`, ['format', '--write', folder], { stdio: 'inherit' })

function write(name, value) {
  const ids = value.map(({ id, jwk }) => id ?? jwk.kid)
  if (new Set(ids).size < ids.length) throw new Error(`${name} has an id twice`)
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(value, null, 2)}\n`)
  console.log(`${name}: ${value.length}`)
}
