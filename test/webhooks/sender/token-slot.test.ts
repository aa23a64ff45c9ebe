import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecretBox } from '../../../src/lib/secret-box.ts'
import { fillBody, writeBody } from '../../../src/webhooks/sender/token-slot.ts'
import { BOX } from '../../support/sender.ts'

const key = (idempotency_key = 'k1') => ({ idempotency_key, box: BOX })

describe('the token of a webhook', () => {
  test('spec 2.9: is put in where it belongs, whatever it and the payload hold', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
        (token, result, message) => {
          const payloadWith = (given: string | undefined) => ({
            message,
            ...(given === undefined ? {} : { token: given }),
            result,
            context: { token, result },
          })
          const written = writeBody((given) => JSON.stringify(payloadWith(given)), token, key())
          const filled = fillBody({ ...written, idempotency_key: 'k1' }, BOX)
          const whole = Buffer.from(JSON.stringify(payloadWith(token)))
          expect(filled).toEqual({ ok: true, body: whole, token })
          expect(written.body.byteLength + (written.token?.bytes ?? 0)).toBe(whole.byteLength)
        },
      ),
    )
  })

  test('is not in what is stored, which is JSON all the same', () => {
    const token = 'a-token-of-the-buyer'
    const { body, token: slot } = writeBody(
      (given) => JSON.stringify({ a: 1, token: given }),
      token,
      key(),
    )
    expect(Buffer.from(body).toString()).toBe('{"a":1,"token":""}')
    expect(JSON.stringify(slot)).not.toContain(token)
  })

  test('opens for its own delivery alone, and with the secret that sealed it', () => {
    const written = writeBody(
      (token) => JSON.stringify({ token }),
      'a-token-of-the-buyer',
      key('k1'),
    )
    expect(fillBody({ ...written, idempotency_key: 'k2' }, BOX)).toEqual({ ok: false })
    const other = createSecretBox('another secret altogether')
    expect(fillBody({ ...written, idempotency_key: 'k1' }, other)).toEqual({ ok: false })
  })

  test('leaves a body alone that has none, or no place for it', () => {
    const none = writeBody(() => '{"a":1}', undefined, key())
    const header = writeBody(() => '{"a":1}', 'in-a-header', key())
    for (const written of [none, header]) {
      expect(written.token).toBeUndefined()
      const filled = fillBody({ ...written, idempotency_key: 'k1' }, BOX)
      expect(filled).toEqual({ ok: true, body: Buffer.from('{"a":1}'), token: undefined })
    }
  })
})
