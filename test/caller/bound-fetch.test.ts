import { describe, expect, test } from 'vitest'
import { bindFetch } from '../../src/caller/bound-fetch.ts'
import { CALLER_LIMITS } from '../../src/caller/limits.ts'
import type { EgressRequest, EgressResult } from '../../src/lib/safe-fetch/safe-fetch.ts'

const agentUrl = new URL('https://agent.example/mcp')
const answer = (over: object = {}) =>
  ({ ok: true, status: 200, headers: {}, body: Buffer.from('{}'), ...over }) as EgressResult
const post = { url: agentUrl.href, method: 'POST' as const, headers: {}, body: '{}' }

function bound(result: EgressResult = answer()) {
  const sent: EgressRequest[] = []
  const egress = {
    fetch: async (request: EgressRequest) => {
      sent.push(request)
      return result
    },
  }
  const made = bindFetch({
    agentUrl,
    egressFor: () => egress,
    owner: 'prn_a',
    hops: 1,
    timeoutMs: 5_000,
  })
  return { ...made, sent }
}

describe('a request of a call of another agent', () => {
  test('leaves by the guard: as its principal’s, within limits, along no redirect, counted', async () => {
    const { fetch, sent, fault } = bound()
    await fetch(post)
    expect(sent[0]).toMatchObject({
      owner: 'prn_a',
      redirects: 'none',
      maxBytes: CALLER_LIMITS.responseBytes.value,
      headers: { 'adwire-hops': '2' },
    })
    expect(sent[0]?.totalTimeoutMs).toBeLessThanOrEqual(5_000)
    expect(fault()).toBeUndefined()
  })

  test.each(['Authorization', 'cookie', 'signature', 'Proxy-Authorization'])(
    'with %s goes to the agent’s own origin alone',
    async (name) => {
      const { fetch, sent, fault } = bound()
      const headers = { [name]: 'secret' }
      for (const url of [
        'https://other.example/',
        'http://agent.example/',
        'https://agent.example:8443/',
      ]) {
        await expect(fetch({ ...post, url, headers })).rejects.toThrow('another origin')
      }
      expect(sent).toEqual([])
      expect(fault()?.kind).toBe('elsewhere')
      await fetch({ ...post, url: 'https://agent.example/else', headers })
      await fetch({ ...post, url: 'https://other.example/card' })
      expect(sent).toHaveLength(2)
    },
  )

  test('is one of a limited number', async () => {
    const { fetch, sent } = bound()
    const most = CALLER_LIMITS.requests.value
    for (let n = 0; n < most; n++) await fetch(post)
    await expect(fetch(post)).rejects.toThrow(`more than ${most} requests`)
    expect(sent).toHaveLength(most)
  })

  test('that the guard refuses is distinguished: the agent’s own address, and another', async () => {
    const refused = {
      ok: false,
      code: 'address_refused',
      message: 'not public',
      durationMs: 1,
    } as const
    const own = bound(refused)
    await expect(own.fetch(post)).rejects.toThrow('not public')
    expect(own.fault()).toEqual({ kind: 'address', message: 'not public' })
    const other = bound(refused)
    await expect(other.fetch({ ...post, url: 'https://x.example' })).rejects.toThrow('not public')
    expect(other.fault()?.kind).toBe('elsewhere')
    const reset = bound({ ...refused, code: 'reset' })
    await expect(reset.fetch(post)).rejects.toThrow()
    expect(reset.fault()).toBeUndefined()
  })
})
