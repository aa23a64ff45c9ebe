import { execFile } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PUBLIC_REGISTRY_PATHS } from '../../../src/registry/public-paths.ts'
import { call, startApp, type TestApp } from '../../support/app.ts'

interface Description {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, { operationId?: string; security?: unknown[] }>>
}

/** Every route of the server, as it is registered with the framework. */
const routes: RouteOptions[] = []
let app: TestApp
let description: Description

beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => {
      routes.push(route)
    })
  }
  subscribe('fastify.initialization', watch)
  app = await startApp()
  unsubscribe('fastify.initialization', watch)
  description = (await call(`${app.url}/openapi.json`)).body as unknown as Description
})
afterAll(() => app.stop())

test('spec 9: the description is OpenAPI 3.1.0 of the API version 1.0.0', () => {
  expect(description.openapi).toBe('3.1.0')
  expect(description.info.version).toBe('1.0.0')
})

test('spec 4.1: the lookup has its operation id and needs no credential', () => {
  const lookup = description.paths['/api/manifest-refs/lookup']?.get
  expect(lookup?.operationId).toBe('lookupManifestRef')
  expect(lookup?.security ?? []).toEqual([])
})

test('every route below /api is described, and nothing else is', () => {
  const served = routes
    .filter(({ url, schema }) => url.startsWith('/api') && !schema?.hide)
    .flatMap(({ url, method }) => [method].flat().map((one) => `${one} ${url}`))
    .filter((route) => !route.startsWith('HEAD '))
    .map((route) => route.replace(/:(\w+)/g, '{$1}'))
  const described = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/api'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  expect(served.length).toBeGreaterThan(10)
  expect(described.sort()).toEqual(served.sort())
})

test('a route that is not described does nothing but refuse the method or say that it is not implemented', async () => {
  const notImplemented = new Set(PUBLIC_REGISTRY_PATHS)
  const hidden = routes.filter(({ url, schema }) => url.startsWith('/api') && schema?.hide)
  for (const { url, method } of hidden) {
    for (const one of [method].flat().filter((name) => name !== 'HEAD')) {
      const answer = await call(app.url + url.replace(/:\w+/g, 'x'), { method: one })
      const refused = notImplemented.has(`${one} ${url}`) ? 501 : 405
      expect([one, url, answer.status]).toEqual([one, url, refused])
    }
  }
})

test('the description passes the recommended rules of a linter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'adwire-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(description, null, 2))
  const redocly = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url))
  // Health, metrics and statistics take no input that could be refused.
  const rules = ['--extends=recommended', '--skip-rule=operation-4xx-response']
  const { stdout } = await promisify(execFile)(redocly, ['lint', ...rules, '--format=json', file], {
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  })
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: unknown[] }
  expect(problems).toEqual([])
})
