import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { startApp } from '../../support/app.ts'

const PATH = '/.well-known/oauth-protected-resource/mcp'
const ISSUER = 'https://login.example'

async function served(mcpAuthorizationServers: readonly string[]) {
  const app = await startApp({ config: { mcpAuthorizationServers: [...mcpAuthorizationServers] } })
  onTestFinished(() => app.stop())
  const metadata = await fetch(`${app.url}${PATH}`)
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tasks' } }
  const unkeyed = async (authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const init = { method: 'POST', headers, body: JSON.stringify(call) }
    const { status, headers: reported } = await fetch(`${app.url}/mcp`, init)
    return [status, reported.get('www-authenticate')]
  }
  return { url: app.url, metadata, unkeyed }
}

test('spec 5: the metadata of /mcp name the authorization servers, and its 401 names the metadata', async () => {
  const { url, metadata, unkeyed } = await served([ISSUER])
  expect(metadata.status).toBe(200)
  expect(await metadata.json()).toEqual({
    resource: `${url}/mcp`,
    authorization_servers: [ISSUER],
    bearer_methods_supported: ['header'],
    resource_name: 'Adwire tasks over MCP',
  })
  const challenge = `Bearer resource_metadata="${url}${PATH}"`
  expect(await unkeyed()).toEqual([401, challenge])
  expect(await unkeyed('Bearer adw_wrong')).toEqual([401, challenge])
})

test('spec 5: without an authorization server the metadata say who gives out keys', async () => {
  const { metadata, unkeyed } = await served([])
  expect(metadata.status).toBe(404)
  const { error } = (await metadata.json()) as { error: string }
  expect(error).toMatch(/ask the operator of this server/)
  expect(await unkeyed()).toEqual([401, 'Bearer'])
})

test('an authorization server is an https URL', () => {
  const read = (value: string) => readConfig({}, { ADWIRE_MCP_AUTHORIZATION_SERVERS: value })
  expect(read(`${ISSUER},https://other.example/tenant`).ok).toBe(true)
  for (const wrong of ['login.example', 'http://login.example', `${ISSUER}?a=b`]) {
    const reported = read(wrong)
    expect(reported.ok ? [] : reported.errors.join()).toMatch(/ADWIRE_MCP_AUTHORIZATION_SERVERS/)
  }
})
