import { expect, test } from 'vitest'
import {
  authenticatePrincipal,
  createPrincipal,
  listPrincipals,
  type NewPrincipal,
  revokePrincipal,
  SCOPES,
} from '../../src/agent/principals.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { onBothStores } from '../support/databases.ts'

onBothStores('principals', (database) => {
  const ports = () => ({
    transact: database().transact,
    principals: createPrincipalStore(database()),
  })
  const create = async (input: Partial<NewPrincipal> = {}) => {
    const created = await createPrincipal(ports(), { name: 'Buyer', ...input })
    if (!created.ok) throw new Error(created.message)
    return created
  }
  const authenticate = (key: string) => authenticatePrincipal(ports().principals, key)

  test('spec 5: the key of a new principal authenticates it', async () => {
    const { principal, key } = await create()
    expect(key).toMatch(/^adw_[A-Za-z0-9_-]{43}$/)
    expect(principal).toMatchObject({ name: 'Buyer', scopes: ['tasks'], revoked_at: null })
    expect(principal.principal_id).toMatch(/^prn_[0-9a-f]{32}$/)
    expect(await authenticate(key)).toEqual(principal)
  })

  test('spec 5: the key is stored hashed, with its first characters', async () => {
    const { key } = await create()
    const rows = await database().read.all<{ key_hash: string; hint: string }>(
      'SELECT * FROM api_keys',
    )
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(rows.map((row) => row.hint)).toContain(key.slice(0, 8))
  })

  test('a key that differs in one character authenticates no one', async () => {
    const { key } = await create()
    const last = key.at(-1) === 'A' ? 'B' : 'A'
    expect(await authenticate(key.slice(0, -1) + last)).toBeUndefined()
    expect(await authenticate('')).toBeUndefined()
    expect(await authenticate('adw_short')).toBeUndefined()
    expect(await authenticate(`${key} `)).toBeUndefined()
  })

  test('a revocation bites at the very next call, and may be repeated', async () => {
    const { principal, key } = await create()
    expect(await authenticate(key)).toBeDefined()
    expect(await revokePrincipal(ports(), principal.principal_id)).toBe(true)
    expect(await authenticate(key)).toBeUndefined()
    expect(await revokePrincipal(ports(), principal.principal_id)).toBe(true)
    expect(await revokePrincipal(ports(), 'prn_unknown')).toBe(false)
  })

  test('a fixed key is accepted once', async () => {
    const key = 'adw_demo_demo_demo_demo'
    const { principal } = await create({ key, scopes: ['tasks', 'operator', 'tasks'] })
    expect(principal.scopes).toEqual(['tasks', 'operator'])
    expect(await authenticate(key)).toEqual(principal)
    expect(await createPrincipal(ports(), { name: 'Other', key })).toMatchObject({
      ok: false,
      message: expect.stringContaining('already'),
    })
  })

  test('the list holds those who were made, revoked ones included', async () => {
    const { principal } = await create({ name: '  Spaced  ' })
    await revokePrincipal(ports(), principal.principal_id)
    const listed = (await listPrincipals(ports())).find(
      (one) => one.principal_id === principal.principal_id,
    )
    expect(listed).toMatchObject({ name: 'Spaced', revoked_at: expect.any(String) })
  })

  test('a name, scope or key that cannot be is refused with what would be right', async () => {
    const refusals: [Partial<NewPrincipal>, string][] = [
      [{ name: '   ' }, '1 to 200'],
      [{ name: 'x'.repeat(201) }, '1 to 200'],
      [{ name: 'a\u0000b' }, 'control characters'],
      [{ name: 'a\nb' }, 'control characters'],
      [{ scopes: ['root'] }, SCOPES.join(' or ')],
      [{ scopes: [] }, SCOPES.join(' or ')],
      [{ key: 'adw_short' }, 'at least 16'],
      [{ key: 'sk_0123456789abcdef0123' }, 'adw_'],
    ]
    const before = (await listPrincipals(ports())).length
    for (const [input, part] of refusals) {
      const refused = await createPrincipal(ports(), { name: 'Buyer', ...input })
      expect(refused).toMatchObject({ ok: false, message: expect.stringContaining(part) })
    }
    expect(await listPrincipals(ports())).toHaveLength(before)
  })
})
