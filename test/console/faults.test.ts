import { expect, test } from 'vitest'
import { faultOf } from '../../src/console/faults.ts'

const failed = { status: 'failed' as const, http_status_code: undefined, error_message: 'it broke' }

test.each([
  ['a name without an address', { fault: 'dns_failed' }, 'dns'],
  ['an expired certificate', { fault: 'certificate_expired' }, 'certificate'],
  ['no connection', { fault: 'connect_failed' }, 'connection'],
  ['no answer in time', { fault: 'timeout' }, 'timeout'],
  ['an address that is not public', { fault: 'address_refused' }, 'refused_address'],
  ['a key that does not sign', { fault: 'signing' }, 'signing'],
  ['a sender that stopped', { fault: 'interrupted' }, 'interrupted'],
  ['a 401 without a code', { http_status_code: 401 }, 'refused'],
  ['a 410', { http_status_code: 410 }, 'gone'],
  ['a 429', { http_status_code: 429 }, 'rate_limited'],
  ['a 503', { http_status_code: 503 }, 'server_error'],
  ['a 302', { http_status_code: 302 }, 'redirect'],
  ['a 422', { http_status_code: 422 }, 'refused'],
])('%s is reported as such, with what would help', (_what, over, kind) => {
  expect(faultOf({ ...failed, ...over })).toEqual({
    kind,
    message: 'it broke',
    advice: expect.any(String),
  })
})

test('spec 5: a 401 that says which check failed keeps the code', () => {
  const fault = 'webhook_signature_window_invalid'
  expect(faultOf({ ...failed, http_status_code: 401, fault })).toMatchObject({
    kind: 'signature_refused',
    code: fault,
  })
})

test('what an older server kept without a word has its sentence', () => {
  expect(faultOf({ ...failed, status: 'timeout' })).toEqual({
    kind: 'timeout',
    message: 'it broke',
  })
  expect(faultOf({ ...failed, status: 'connection_error' })).toEqual({
    kind: 'other',
    message: 'it broke',
  })
})

test.each(['success', 'pending'] as const)('%s is no fault', (status) => {
  expect(faultOf({ ...failed, status })).toBeUndefined()
})
