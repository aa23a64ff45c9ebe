import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalAuthority, canonicalTargetUri } from '../../src/signing/target-uri.ts'

const SIGNER = { allowUnicodeHost: true }
const VERIFIER = { allowUnicodeHost: false }

describe('spec 5: the canonical target URI', () => {
  test.each([
    ['https://h.test', 'https://h.test/'],
    ['https://h.test#f', 'https://h.test/'],
    ['https://h.test/..', 'https://h.test/'],
    ['https://h.test/../../a', 'https://h.test/a'],
    ['https://h.test/..//a', 'https://h.test//a'],
    ['https://h.test/a/b/.', 'https://h.test/a/b/'],
    ['https://h.test/a/b/..', 'https://h.test/a/'],
    ['https://h.test/...', 'https://h.test/...'],
    ['https://h.test/.a/..b', 'https://h.test/.a/..b'],
    ['https://h.test/a//../b', 'https://h.test/a/b'],
    ['https://h.test/%2541', 'https://h.test/%2541'],
    ['https://h.test/%3a%2F%3f', 'https://h.test/%3A%2F%3F'],
    ['https://h.test/%2e.a', 'https://h.test/..a'],
    ['https://h.test/a?x=/../%2e%zz\\', 'https://h.test/a?x=/../%2e%zz\\'],
    ['https://h.test/a??', 'https://h.test/a??'],
    ['https://h.test/a#?b', 'https://h.test/a'],
    ['https://h.test:/a', 'https://h.test/a'],
    ['http://h.test:443/a', 'http://h.test:443/a'],
    ['https://@h.test/a', 'https://h.test/a'],
    ['https://127.0.0.1:8443/a', 'https://127.0.0.1:8443/a'],
    ['https://0x7f.1/a', 'https://0x7f.1/a'],
    ['https://[::FFFF:127.0.0.1]/a', 'https://[::ffff:127.0.0.1]/a'],
    ['https://my_host/a', 'https://my_host/a'],
    ['https://deploy-1--site.test/a', 'https://deploy-1--site.test/a'],
  ])('of %s is %s', (url, expected) => {
    expect(canonicalTargetUri(url, VERIFIER)).toMatchObject({ ok: true, targetUri: expected })
  })

  test.each([
    ['', 'an empty text'],
    ['h.test/a', 'a URL without a scheme'],
    [' https://h.test/', 'a leading space'],
    ['https:/h.test/', 'one slash'],
    ['https://', 'no host'],
    ['https://?x', 'a query and no host'],
    ['https://./', 'a host of one dot'],
    ['https://.h.test/', 'a host that begins with a dot'],
    ['https://h.test../', 'two root dots'],
    ['https://h.test:a/', 'a port that is no number'],
    ['https://h.test:99999/', 'a port too high'],
    ['https://h.test:-1/', 'a negative port'],
    ['https://[::1]x/', 'something after the bracket'],
    ['https://[::g]/', 'an address that is none'],
    ['https://[]/', 'empty brackets'],
    ['https://[v1.a]/', 'an address of the future'],
    ['https://::1]/', 'a bracket that was not opened'],
    ['https://h.test\\a/', 'a backslash in the host'],
    ['https://h.test\\@other.test/', 'a backslash before @'],
    ['https://a@b@h.test/', 'two @'],
    ['https://h test/', 'a space in the host'],
    ['https://h.test/\ta', 'a tab'],
    ['https://h.test/a\n', 'a line break'],
    ['https://h.test/é', 'a path outside ASCII'],
    ['https://h.test/?é', 'a query outside ASCII'],
    ['https://h.test/%', 'a lone %'],
    ['https://h.test/%e', 'half a triplet'],
    ['https://h.test/%2E/a', 'an escaped dot segment'],
    ['https://h.test/.%2e/a', 'a half escaped dot segment'],
    [`https://${'a'.repeat(254)}/`, 'a host too long'],
    ['ws://h.test/', 'another scheme'],
  ])('does not exist for %j: %s', (url) => {
    expect(canonicalTargetUri(url, SIGNER)).toMatchObject({ ok: false, fault: 'malformed' })
  })
})

describe('spec 5: an internationalised host', () => {
  test.each([
    ['https://bücher.test/p', 'xn--bcher-kva.test'],
    ['https://BÜCHER.test./p', 'xn--bcher-kva.test'],
    ['https://faß.test:8443/p', 'xn--fa-hia.test:8443'],
    ['https://bücher。test/p', 'xn--bcher-kva.test'],
    ['https://שלום.test/p', 'xn--9dbne9b.test'],
  ])('%s is converted by a signer to %s', (url, authority) => {
    expect(canonicalTargetUri(url, SIGNER)).toMatchObject({ ok: true, authority })
  })

  test.each([
    ['https://-ü.test/', 'a hyphen first'],
    ['https://ü-.test/', 'a hyphen last'],
    ['https://ab--ü.test/', 'hyphens in third and fourth place'],
    ['https://⑴ü.test/', 'a character that maps to brackets'],
    ['https://ü_a.test/', 'an underscore'],
    ['https://אa.test/', 'two directions in one label'],
    ['https://1א.test/', 'a digit before a letter from right to left'],
    ['https://ü..test/', 'an empty label'],
    ['https://ü\u200d.test/', 'a joiner out of place'],
    ['https://xn--ü.test/', 'a label that claims to be converted'],
    ['https://ü%41.test/', 'an escape'],
    ['https://ü test/', 'a space'],
  ])('%s is refused by a signer: %s', (url) => {
    expect(canonicalTargetUri(url, SIGNER)).toMatchObject({ ok: false, fault: 'malformed' })
  })

  test('is a fault of its own for a verifier', () => {
    expect(canonicalTargetUri('https://bücher.test/p', VERIFIER)).toMatchObject({
      fault: 'unicode_host',
    })
  })
})

test('spec 5: an authority is a host and a port and nothing else', () => {
  const of = (text: string) => canonicalAuthority(text, 'https', VERIFIER)
  expect(of('H.test:443')).toEqual({ ok: true, authority: 'h.test' })
  expect(of('[::A]:80')).toEqual({ ok: true, authority: '[::a]:80' })
  for (const text of ['', 'me@h.test', 'h.test/a', 'h.test, h.test', 'h.test?', 'h.test#']) {
    expect(of(text)).toMatchObject({ ok: false, fault: 'malformed' })
  }
})

test('the canonical form of a canonical form is itself', () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9%./:@?#[\]_~é-]{0,20}$/)
  fc.assert(
    fc.property(
      fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), part),
      part,
      (start, end) => {
        for (const url of [start, `https://h.test/${start}${end}`, `https://${start}${end}`]) {
          const once = canonicalTargetUri(url, SIGNER)
          if (!once.ok) continue
          expect(canonicalTargetUri(once.targetUri, VERIFIER)).toEqual(once)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})
