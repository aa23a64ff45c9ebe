import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { countAs } from '../../../src/transports/http/count-as.ts'
import { createKnownCredentials } from '../../../src/transports/http/known-credentials.ts'

test('a request with a good key is counted against its caller, and its key is known from then on', () => {
  const knownCredentials = createKnownCredentials()
  const headers = { authorization: 'Bearer adw_secret' }
  const request = {
    account: '192.0.2.1',
    hasKey: false,
    headers,
    server: { knownCredentials },
  } as unknown as FastifyRequest
  expect(knownCredentials.nameOf(headers)).toBeUndefined()
  countAs(request, 'prn_1')
  expect(request).toMatchObject({ account: 'prn_1', hasKey: true })
  expect(knownCredentials.nameOf(headers)).toBeDefined()
})
