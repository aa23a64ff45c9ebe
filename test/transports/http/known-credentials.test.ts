import { expect, test } from 'vitest'
import { createKnownCredentials } from '../../../src/transports/http/known-credentials.ts'

test('a credential has a name once it was accepted, and a made-up one has none', () => {
  const known = createKnownCredentials()
  const headers = { authorization: 'Bearer adw_secret' }
  expect(known.nameOf(headers)).toBeUndefined()
  known.note(headers)
  const name = known.nameOf({ ...headers, cookie: 'anything' })
  expect(name).toEqual(expect.any(String))
  expect(name).not.toContain('secret')
  expect(known.nameOf({ authorization: 'Bearer adw_made_up' })).toBeUndefined()
  expect(known.nameOf({})).toBeUndefined()
})

test('a session of the console is known by its cookie', () => {
  const known = createKnownCredentials()
  known.note({ cookie: 'adwire_console=1' })
  expect(known.nameOf({ cookie: 'adwire_console=1' })).toBeDefined()
  expect(known.nameOf({ cookie: 'adwire_console=2' })).toBeUndefined()
})
