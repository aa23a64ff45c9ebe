import { expect, test } from 'vitest'
import { createSecretBox, isSealed } from '../../src/lib/secret-box.ts'

const SECRET = 'a secret of thirty-two characters'
const box = createSecretBox(SECRET)

test('what was sealed opens with the same secret and context, in another process too', () => {
  const sealed = box.seal('Grüße 東京', 'kid-1')
  expect(sealed).toMatch(/^v1(\.[\w-]+){3}$/)
  expect(sealed).not.toContain('Grüße')
  expect(createSecretBox(SECRET).open(sealed, 'kid-1')).toEqual({ ok: true, text: 'Grüße 東京' })
})

test('an empty text can be sealed', () => {
  expect(box.open(box.seal('', 'x'), 'x')).toEqual({ ok: true, text: '' })
})

test('the same text never looks the same twice', () => {
  expect(box.seal('text', 'kid-1')).not.toBe(box.seal('text', 'kid-1'))
})

test('another secret or another context does not open it', () => {
  const sealed = box.seal('text', 'kid-1')
  expect(createSecretBox(`${SECRET}!`).open(sealed, 'kid-1')).toEqual({ ok: false })
  expect(box.open(sealed, 'kid-2')).toEqual({ ok: false })
})

test('no character of it can be changed', () => {
  const sealed = box.seal('text', 'kid-1')
  for (let at = 0; at < sealed.length; at++) {
    for (const other of [sealed[at] === 'A' ? 'B' : 'A', '.', '']) {
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      if (changed !== sealed) expect([at, box.open(changed, 'kid-1')]).toEqual([at, { ok: false }])
    }
  }
})

test.each(['', 'v1', 'v1...', 'v2.a.b.c', '{"kty":"OKP"}', `v1.${'A'.repeat(22)}.AAAA.AAAA`])(
  'what no box made is not sealed: %j',
  (text) => {
    expect(isSealed(text)).toBe(false)
    expect(box.open(text, 'kid-1')).toEqual({ ok: false })
  },
)

test('a sealed text is known as one without its secret', () => {
  expect(isSealed(box.seal('text', 'kid-1'))).toBe(true)
})
