// Signing in to the console at a real OpenID provider: who gets in with which roles, what is recorded, when access ends,
// and what an attacker can do with the parts of a sign-in.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../support/app.ts'
import { ask, nextAddress } from '../../../support/console.ts'
import { type OidcProvider, startOidcProvider } from '../../../support/oidc-provider.ts'
import { type SignInBrowser, signInBrowser } from '../../../support/sign-in-browser.ts'

let provider: OidcProvider
let app: TestApp
const settings = () => ({
  oidcIssuer: provider.issuer,
  oidcClientId: 'console',
  oidcClientSecret: 'secret-of-console',
  oidcScopes: ['openid', 'profile', 'email', 'groups'],
  oidcRoles: ['admin=ops', 'approver=finance', 'operator=adops', 'viewer=staff'],
})
beforeAll(async () => {
  provider = await startOidcProvider()
  await provider.setGroups('ada', ['staff', 'adops'])
  await provider.setGroups('bob', ['visitors'])
  app = await startApp({ config: { ...settings(), trustProxy: ['127.0.0.1'] } })
})
afterAll(async () => {
  await app?.stop()
  await provider?.stop()
})

const sessionOf = (browser: SignInBrowser, url = app.url) =>
  ask(`${url}/console/api/session`, { headers: { cookie: browser.cookies(url) } })

const latest = async (action: string) =>
  (await app.storage.consoleAudit.list({ action, limit: 5 })).rows

describe('a person', () => {
  test('signs in with the roles of their groups, and the audit log names them', async () => {
    const browser = signInBrowser()
    const landed = await browser.signIn(app.url, 'ada', '?return_to=/console/deliveries%3Fq%3Dx')
    expect(landed.url).toBe(`${app.url}/console/deliveries?q=x`)
    const { body, status } = await sessionOf(browser)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      principal: { name: 'Ada Lovelace (ada@acme.example)' },
      roles: ['viewer', 'operator'],
    })
    const [entry] = await latest('session.sign_in')
    expect(entry).toMatchObject({
      principal_name: 'Ada Lovelace (ada@acme.example)',
      outcome: 'done',
      detail: `operator, at ${provider.issuer}`,
    })
    expect(browser.cookies(app.url)).not.toContain('adwire_sign_in')
  })

  test('is the same principal at every sign-in', async () => {
    const ids = []
    for (const browser of [signInBrowser(), signInBrowser()]) {
      await browser.signIn(app.url, 'ada')
      ids.push((await sessionOf(browser)).body.principal.principal_id)
    }
    expect(new Set(ids).size).toBe(1)
  })

  test('without a group that has a role is refused and recorded by name', async () => {
    const browser = signInBrowser()
    const landed = await browser.signIn(app.url, 'bob')
    expect(landed.url).toBe(`${app.url}/console/?sign_in=role`)
    expect((await sessionOf(browser)).status).toBe(401)
    const [entry] = await latest('session.sign_in')
    expect(entry).toMatchObject({ outcome: 'refused', target: 'bob@acme.example' })
  })

  test('whose principal was revoked here is refused, and loses sessions at once', async () => {
    await provider.setGroups('eve', ['ops'])
    const browser = signInBrowser()
    await browser.signIn(app.url, 'eve')
    const { principal } = (await sessionOf(browser)).body
    await app.storage.transact((tx) => app.storage.principals.revoke(tx, principal.principal_id))
    expect((await sessionOf(browser)).status).toBe(401)
    expect((await browser.signIn(app.url, 'eve')).url).toContain('sign_in=revoked')
  })

  test('who is an admin lists the sessions and ends one', async () => {
    await provider.setGroups('root', ['ops'])
    const [admin, other] = [signInBrowser(), signInBrowser()]
    await admin.signIn(app.url, 'root')
    await other.signIn(app.url, 'ada')
    const { body: own } = await sessionOf(admin)
    expect(own.roles).toEqual(['viewer', 'operator', 'approver', 'admin'])
    const headers = { cookie: admin.cookies(app.url), 'x-adwire-csrf': own.csrf }
    const { body } = await ask(`${app.url}/console/api/sessions`, { headers })
    const target = body.items.find((item: { principal_name: string }) =>
      item.principal_name.startsWith('Ada'),
    )
    expect(target).toMatchObject({ how: 'provider', roles: ['viewer', 'operator'], is_own: false })
    const path = `${app.url}/console/api/sessions/${target.session_id}/end`
    expect((await ask(path, { method: 'POST', body: {}, headers })).status).toBe(200)
    expect((await sessionOf(other)).status).toBe(401)
    expect((await ask(path, { method: 'POST', body: {}, headers })).status).toBe(404)

    // Not for somebody who is no admin.
    const operator = signInBrowser()
    await operator.signIn(app.url, 'ada')
    const refused = await ask(`${app.url}/console/api/sessions`, {
      headers: { cookie: operator.cookies(app.url) },
    })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'no_admin'])
  })
})

describe('keys beside the provider', () => {
  test('still work', async () => {
    const answer = await ask(`${app.url}/console/api/session`, {
      method: 'POST',
      body: { key: await app.principal('viewer') },
    })
    expect(answer.body).toMatchObject({ roles: ['viewer'] })
  })

  test('the sign-in page is told that there is a provider', async () => {
    const { body } = await ask(`${app.url}/console/api/session`)
    expect(body).toMatchObject({ provider: true, error: { code: 'no_session' } })
  })

  test('can be restricted to a break-glass key, whose use stands out', async () => {
    const strict = await startApp({ config: { ...settings(), consoleKeys: 'break-glass' } })
    try {
      const signIn = async (key: string) =>
        ask(`${strict.url}/console/api/session`, {
          method: 'POST',
          body: { key },
          headers: { 'x-forwarded-for': nextAddress() },
        })
      const refused = await signIn(await strict.principal('admin'))
      expect([refused.status, refused.body.error.code]).toEqual([403, 'break_glass_only'])
      const opened = await signIn(await strict.principal('break-glass'))
      expect(opened.body).toMatchObject({ roles: ['viewer', 'operator', 'approver', 'admin'] })
      const { rows } = await strict.storage.consoleAudit.list({
        action: 'session.break_glass',
        limit: 1,
      })
      expect(rows).toMatchObject([{ outcome: 'done', detail: 'admin' }])
    } finally {
      await strict.stop()
    }
  })
})

describe('an attacker', () => {
  test('cannot use a callback twice', async () => {
    const browser = signInBrowser()
    const callback = await browser.codeFor(app.url, 'ada')
    const cookie = browser.cookies(app.url)
    const open = () => fetch(callback, { redirect: 'manual', headers: { cookie } })
    const first = await open()
    expect(first.headers.get('location')).toBe('/console/')
    expect(first.headers.getSetCookie().join()).toContain('adwire_console=')
    const second = await open()
    expect(second.headers.get('location')).toBe('/console/?sign_in=state')
    expect(second.headers.getSetCookie()).toEqual([])
  })

  test('cannot redeem a used code in a sign-in of their own', async () => {
    const victim = signInBrowser()
    const used = new URL(await victim.codeFor(app.url, 'ada'))
    await victim.open(used.href)
    const attacker = signInBrowser()
    const own = new URL(await attacker.codeFor(app.url, 'bob'))
    own.searchParams.set('code', used.searchParams.get('code') ?? '')
    expect((await attacker.open(own.href)).url).toContain('sign_in=refused')
    expect((await sessionOf(attacker)).status).toBe(401)
  })

  test('cannot redeem an unused code of another browser: its verifier is another', async () => {
    const stolen = new URL(await signInBrowser().codeFor(app.url, 'ada'))
    const attacker = signInBrowser()
    const own = new URL(await attacker.codeFor(app.url, 'bob'))
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect((await attacker.open(own.href)).url).toContain('sign_in=refused')
    expect((await sessionOf(attacker)).status).toBe(401)
  })

  test('cannot sign a victim in as themselves: the state belongs to one browser', async () => {
    const attackers = await signInBrowser().codeFor(app.url, 'ada')
    const victim = signInBrowser()
    expect((await victim.open(attackers)).url).toBe(`${app.url}/console/?sign_in=state`)
    // Nor when the victim is about to sign in.
    await victim.codeFor(app.url, 'ada')
    expect((await victim.open(attackers)).url).toContain('sign_in=state')
    expect((await sessionOf(victim)).status).toBe(401)
  })

  test.each(['', 'x', 'a'.repeat(43), "' OR 1=1 --"])(
    'gets nothing with the state %j',
    async (state) => {
      const browser = signInBrowser()
      const callback = new URL(await browser.codeFor(app.url, 'ada'))
      callback.searchParams.set('state', state)
      expect((await browser.open(callback.href)).url).toContain('sign_in=state')
    },
  )

  test('cannot answer for the provider from another issuer (RFC 9207)', async () => {
    const browser = signInBrowser()
    const callback = new URL(await browser.codeFor(app.url, 'ada'))
    callback.searchParams.set('iss', 'https://evil.example')
    expect((await browser.open(callback.href)).url).toContain('sign_in=token')
    expect((await sessionOf(browser)).status).toBe(401)
  })

  test.each([
    'https://evil.example/',
    '//evil.example/console/',
    '/\\evil.example',
    '/console/\\..\\..\\evil',
    '/console/../../evil.example',
    '/console/\t//evil.example',
    '/console',
    '/console/api/session',
    '/console/oidc/start',
    'javascript:alert(1)',
  ])('cannot make the sign-in end at %j', async (target) => {
    const browser = signInBrowser()
    const query = `?return_to=${encodeURIComponent(target)}`
    expect((await browser.signIn(app.url, 'ada', query)).url).toBe(`${app.url}/console/`)
  })
})
