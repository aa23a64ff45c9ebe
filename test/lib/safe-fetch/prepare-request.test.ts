import { describe, expect, test } from 'vitest'
import type { EgressRequest } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { httpServer, loopbackEgress } from './loopback.ts'

describe('a malformed request', () => {
  const bad: [string, Partial<EgressRequest>][] = [
    ['a header value with a line break', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a header name with a colon', { headers: { 'x:a': 'b' } }],
    ['a header name with a line break', { headers: { 'x\na': 'b' } }],
    ['a header value beyond Latin-1', { headers: { 'x-a': '\u20ac' } }],
    ['a host header', { headers: { Host: 'internal' } }],
    ['a content-length header', { headers: { 'content-length': '0' } }],
    ['a transfer-encoding header', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['a connection header', { headers: { connection: 'upgrade' } }],
    ['the same header twice', { headers: { 'x-a': '1', 'X-A': '2' } }],
    ['a method with a space', { method: 'GET /' }],
    ['the method CONNECT', { method: 'connect' }],
    ['a negative limit', { maxBytes: -1 }],
    ['a timeout that is no number', { totalTimeoutMs: Number.NaN }],
  ]

  test.each(bad)('egress: %s is a TypeError before anything is sent', async (_name, parts) => {
    const server = await httpServer((_request, response) => response.end())
    await expect(loopbackEgress().fetch({ url: server.url(), ...parts })).rejects.toThrow(TypeError)
    expect(server.connectionCount()).toBe(0)
  })
})
