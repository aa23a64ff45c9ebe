import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { readAppFiles } from '../../../../src/transports/http/console/app-files.ts'
import { appRoutes } from '../../../../src/transports/http/console/app-routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'adwire-app-'))
mkdirSync(join(folder, 'assets'))
const script = `export const a = ${JSON.stringify('x'.repeat(2_000))}\n`
const index = '<!doctype html><head><title>Console</title></head>'
writeFileSync(join(folder, 'index.html'), index)
writeFileSync(join(folder, 'assets', 'index-1a2b.js'), script)
writeFileSync(join(folder, 'assets', 'overview-3c4d.js'), script)
writeFileSync(join(folder, 'secret.js'), 'no')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function served(folders: string[]) {
  const app = fastify()
  appRoutes(readAppFiles(folders), () => 'https://ads.example')(app)
  await app.ready()
  return (url: string, headers = {}) => app.inject({ url, headers })
}

test('every path of the app is its page, which no one keeps', async () => {
  const get = await served(['/nowhere', folder])
  for (const path of ['/console/', '/console/deliveries/7', '/console/a/b/c']) {
    const answer = await get(path)
    expect([path, answer.statusCode, answer.body]).toEqual([path, 200, index])
    expect(answer.headers['cache-control']).toBe('no-store')
  }
  expect((await get('/console')).headers.location).toBe('/console/')
})

test('files with a digest in their name are kept for ever, and smaller for who takes gzip', async () => {
  const get = await served([folder])
  const plain = await get('/console/assets/index-1a2b.js')
  expect(plain.body).toBe(script)
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
  const small = await get('/console/assets/index-1a2b.js', { 'accept-encoding': 'br, gzip' })
  expect(small.headers['content-encoding']).toBe('gzip')
  expect(small.rawPayload.length).toBeLessThan(200)
})

test('with a session, a page has links to what it will request; without one, and for buyers, none', async () => {
  const get = await served([folder])
  const linksOf = async (path: string, cookie = 'adwire_console=abc') =>
    (await get(path, { cookie })).body.match(/(?<=href=")[^"]+/g)
  const session = '/console/api/session'
  expect(await linksOf('/console/deliveries')).toEqual([session])
  expect(await linksOf('/console/')).toEqual([
    '/console/assets/overview-3c4d.js',
    session,
    '/console/api/overview?range=24h',
  ])
  expect(await linksOf('/console/?range=1h')).toEqual([session])
  expect(await linksOf('/console/', 'other=abc')).toBeNull()
  expect(await linksOf('/console/link?a=b')).toBeNull()
})

test('nothing but the files of the app is served, whatever the path says', async () => {
  const get = await served([folder])
  for (const path of [
    '/console/assets/none.js',
    '/console/assets/..%2Fsecret.js',
    '/console/assets/..%2f..%2f..%2fetc%2fpasswd',
    '/console/assets/__proto__',
  ]) {
    expect([path, (await get(path)).statusCode]).toEqual([path, 404])
  }
  // The page of the app, and not the file beside it.
  expect((await get('/console/secret.js')).body).toContain('<title>Console</title>')
})

test('a checkout that was not built says how to build it', async () => {
  const answer = await (await served(['/nowhere']))('/console/')
  expect([answer.statusCode, answer.body.includes('npm run build')]).toEqual([503, true])
})
