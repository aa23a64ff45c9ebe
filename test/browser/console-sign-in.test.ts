// Signing in to the console at an OpenID provider, in a real browser: to the page that was requested, with the person's
// name; ending a session; and what a page displays when access was removed.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import { axeFaultsInBoth, cutOff } from '../support/console-pages.ts'
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts'

if (!CHROMIUM) console.warn('signing in is NOT tested in a browser: set CHROMIUM_PATH')

describe.skipIf(!CHROMIUM)(BROWSER_TITLE, () => {
  let browser: Browser
  let provider: OidcProvider
  let app: TestApp
  beforeAll(async () => {
    browser = await openBrowser()
    provider = await startOidcProvider()
    await provider.setGroups('ada', ['ops'])
    app = await startApp({
      config: {
        oidcIssuer: provider.issuer,
        oidcClientId: 'console',
        oidcClientSecret: 'secret-of-console',
        oidcScopes: ['openid', 'profile', 'email', 'groups'],
        oidcRoles: ['admin=ops'],
      },
    })
  })
  afterAll(async () => {
    await leaveBrowser()
    await app?.stop()
    await provider?.stop()
  })

  const signedIn = async (path: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    await page.goto(`${app.url}/console${path}`)
    await page.getByRole('link', { name: 'Sign in with your account' }).click()
    await page.getByPlaceholder('Enter any login').fill('ada')
    await page.getByPlaceholder('and password').fill('x')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    return page
  }

  test('a person signs in, lands on the requested page, and is named', async () => {
    const page = await signedIn('/sessions?limit=5')
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/sessions')
    expect(await page.locator('.who').innerText()).toContain('Ada Lovelace (ada@acme.example)')
    expect(await page.locator('.who').innerText()).toContain('admin')
    await page.getByText('this session').first().waitFor()
    expect(await axeFaultsInBoth(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await cutOff(page)).toEqual([])
    const [cookie] = await page.context().cookies(`${app.url}/console/`)
    expect(cookie).toMatchObject({ name: 'adwire_console', httpOnly: true, sameSite: 'Strict' })
  })

  test('an admin ends the session of another browser, which returns to the sign-in page', async () => {
    const [admin, other] = [await signedIn('/sessions'), await signedIn('/audit')]
    await other.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
    await admin.reload()
    const row = admin.getByRole('row').filter({ hasNotText: 'this session' }).nth(1)
    await row.getByRole('button', { name: 'End' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await admin.getByText('Ended. The next request').waitFor()
    await other.reload()
    await other.getByRole('link', { name: 'Sign in with your account' }).waitFor()
  })

  test('a person without a role is told so on the sign-in page', async () => {
    await provider.setGroups('ada', ['visitors'])
    const page = await signedIn('/')
    await page.getByText('none of your groups may use this console').waitFor()
    expect(await axeFaultsInBoth(page)).toEqual([])
    await provider.setGroups('ada', ['ops'])
  })
})
