import { expect, onTestFinished, test } from 'vitest'
import { DEMO_BRANDS } from '../../../src/app/demo/demo-brands.ts'
import { egressHosts } from '../../../src/app/egress-hosts.ts'
import { call, startApp } from '../../support/app.ts'
import { contributor, lookup } from '../../support/contributor.ts'
import { eventually } from '../../support/eventually.ts'
import { brandJson, startManifestServer } from '../../support/manifest-server.ts'

test('every demo brand is named by its own domain, and so is valid like any other', async () => {
  const app = await startApp({ config: { demo: true, console: false } })
  onTestFinished(() => app.stop())
  for (const { domain } of DEMO_BRANDS) {
    await eventually(async () => {
      const { body } = await call(`${app.url}/api/manifest-refs?domain=${domain}`)
      expect(body.references).toMatchObject([{ verification_status: 'valid', proved_by: 'named' }])
    })
  }
  const stranger = await contributor(app, 'Stranger')
  const copy = `${app.url}/demo/demo-brand.example/brand.json`
  const other = await stranger.contribute({ domain: 'solara-coffee.example', manifest_url: copy })
  expect(other.verification_status).toBe('invalid')
})

test('the example of the README: acme.example is what answers on a port of this machine', async () => {
  const site = await startManifestServer()
  onTestFinished(() => site.stop())
  site.set('/.well-known/brand.json', brandJson('acme.example'))
  const app = await startApp({ config: { demo: true, egressHosts: [`acme.example=${site.url}`] } })
  onTestFinished(() => app.stop())
  const acme = await contributor(app, 'Acme Media')
  const manifest_url = 'https://acme.example/.well-known/brand.json'
  const reference = await acme.contribute({ domain: 'acme.example', manifest_url })
  expect(reference).toMatchObject({ verification_status: 'valid', proved_by: 'well_known' })
  expect(await lookup(app, 'acme.example')).toMatchObject({ verification_status: 'valid' })
})

test('only a demo server knows hosts that no one has set', () => {
  const listening = () => 'http://127.0.0.1:8420'
  const demo = egressHosts({ demo: true, egressHosts: [] }, listening)
  expect(demo('acme.example')).toBe('http://127.0.0.1:9000')
  expect(demo('demo-brand.example')).toBe('http://127.0.0.1:8420/demo/demo-brand.example')
  expect(demo('other.example')).toBeUndefined()
  const real = egressHosts(
    { demo: false, egressHosts: ['a.example=http://127.0.0.1:1'] },
    listening,
  )
  expect(real('a.example')).toBe('http://127.0.0.1:1')
  expect(real('acme.example')).toBeUndefined()
  expect(real('demo-brand.example')).toBeUndefined()
})
