import { describe, expect, test } from 'vitest'
import { signBearer, verifyBearer } from '../../../src/webhooks/schemes/bearer.ts'

const TOKEN = 'tok_0123456789abcdefghijklmnopqrst'

test('spec 5: what one end sends the other accepts', () => {
  const signed = signBearer(TOKEN)
  expect(signed).toEqual({ ok: true, headers: { authorization: `Bearer ${TOKEN}` } })
  expect(verifyBearer({ authorization: `Bearer ${TOKEN}` }, TOKEN)).toEqual({ ok: true })
  expect(verifyBearer({ Authorization: `bearer  ${TOKEN}` }, TOKEN)).toEqual({ ok: true })
})

describe('refused', () => {
  test.each([
    ['nothing', {}],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['no token', { authorization: 'Bearer' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['two tokens', { authorization: `Bearer ${TOKEN} ${TOKEN}` }],
    ['two headers', { authorization: [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`] }],
    ['two headers of different case', { authorization: 'x', Authorization: `Bearer ${TOKEN}` }],
  ])('%s', (_what, headers) => {
    expect(verifyBearer(headers, TOKEN)).toMatchObject({ code: 'webhook_bearer_missing' })
  })

  test.each([TOKEN.slice(0, -1), `${TOKEN}x`, TOKEN.toUpperCase()])('the token %j', (token) => {
    const verdict = verifyBearer({ authorization: `Bearer ${token}` }, TOKEN)
    expect(verdict).toMatchObject({ code: 'webhook_bearer_invalid' })
  })

  test.each(['short', `${'x'.repeat(40)}\r\nx-evil: 1`, `${'x'.repeat(31)} `, 'ü'.repeat(40)])(
    'the registered credentials %j, at both ends',
    (credentials) => {
      expect(signBearer(credentials)).toMatchObject({ error: 'credentials_unusable' })
      const headers = { authorization: `Bearer ${credentials}` }
      expect(verifyBearer(headers, credentials).ok).toBe(false)
    },
  )
})
