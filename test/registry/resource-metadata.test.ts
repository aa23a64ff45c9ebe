import { expect, test } from 'vitest'
import { resourceMetadata, resourceMetadataUrl } from '../../src/registry/resource-metadata.ts'

test('spec 5: the metadata names the resource, its issuer and how a token is sent', () => {
  const metadata = resourceMetadata({
    publicUrl: 'https://ads.example/',
    issuer: 'https://id.example',
    scopes: ['openid', 'email'],
  })
  expect(metadata).toEqual({
    resource: 'https://ads.example/api',
    authorization_servers: ['https://id.example'],
    scopes_supported: ['openid', 'email'],
    bearer_methods_supported: ['header'],
    resource_name: 'Adwire registry',
  })
})

test('spec 5: without an issuer no authorization server is named', () => {
  const metadata = resourceMetadata({ publicUrl: 'https://ads.example', scopes: [] })
  expect(metadata).not.toHaveProperty('authorization_servers')
})

test.each([
  ['https://ads.example', 'https://ads.example/.well-known/oauth-protected-resource/api'],
  ['https://ads.example/eu/', 'https://ads.example/.well-known/oauth-protected-resource/eu/api'],
])('RFC 9728 §3.1: the metadata of %s is at %s', (publicUrl, address) => {
  expect(resourceMetadataUrl(publicUrl)).toBe(address)
})
