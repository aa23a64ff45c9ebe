import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type SellerFlags, sellersOf } from '../../../src/app/receive/sellers.ts'

const A = 'https://a.example/agent'
const KEY = { kid: 'k1', kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }

function file(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-pin-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'jwks.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function read(flags: Partial<SellerFlags>) {
  try {
    return sellersOf({ trust: [], publisher: [], pin: [], ...flags })
  } catch (error) {
    return (error as Error).message
  }
}

describe('trust', () => {
  test('a slash at the end makes no other seller', () => {
    expect(read({ trust: [`${A}/`, A, 'http://127.0.0.1:8420/'] })).toEqual([
      { agentUrl: A },
      { agentUrl: 'http://127.0.0.1:8420' },
    ])
    expect(read({ trust: [`${A}/?a=b/`] })).toEqual([{ agentUrl: `${A}/?a=b/` }])
  })

  test('of two key sets of one seller neither is taken', () => {
    expect(read({ trust: [`${A}=https://a.example/1`, `${A}/=https://a.example/2`] })).toBe(
      `--trust ${A} was given twice, with different key sets`,
    )
  })
})

describe("spec 5: publishers' pins", () => {
  test('a publisher is one of all sellers, or of the one that is named', () => {
    const trust = [A, 'https://b.example/agent']
    const publisher = ['news.example', `http://127.0.0.1:9000=${A}/`]
    expect(read({ trust, publisher })).toEqual([
      { agentUrl: A, publishers: ['news.example', 'http://127.0.0.1:9000'] },
      { agentUrl: 'https://b.example/agent', publishers: ['news.example'] },
    ])
  })

  test('keys are pinned by a file, as a key set or a list', () => {
    for (const content of [{ keys: [KEY] }, [KEY]]) {
      expect(read({ trust: [A], pin: [`${A}/=@${file(content)}`] })).toEqual([
        { agentUrl: A, pin: [KEY] },
      ])
    }
  })

  test.each([
    [{ publisher: ['news.example'] }, 'pins keys of a seller: give its --trust as well'],
    [{ trust: [A], publisher: [`news.example=https://b.example`] }, 'give its --trust as well'],
    [{ trust: [A], publisher: ['not a domain'] }, 'must be <domain>[=<agent-url>]'],
    [{ trust: [A], pin: [A] }, 'must be <agent-url>=@<file>'],
    [{ trust: [A], pin: [`https://b.example=@x`] }, 'needs --trust https://b.example'],
    [{ trust: [A], pin: [`${A}=@/no/such/file`] }, 'the file cannot be read'],
  ])('%j is refused', (flags, part) => {
    expect(read(flags)).toContain(part)
  })

  test.each([
    ['{', 'the file is no JSON'],
    [{ keys: [] }, 'the file has no keys'],
    [{ keys: [{ kty: 'OKP' }] }, 'every key needs a kid and a kty'],
    [{ keys: [{ ...KEY, d: 'x' }] }, 'the key k1 is a private one'],
    [{ keys: [KEY, KEY] }, 'the kid k1 appears twice'],
  ])('a file with %j is refused', (content, part) => {
    expect(read({ trust: [A], pin: [`${A}=@${file(content)}`] })).toContain(part)
  })
})
