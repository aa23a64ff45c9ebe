import fastify, { type FastifyInstance, type HTTPMethods } from 'fastify'
import { expect, test } from 'vitest'
import { answerOtherMethods } from '../../../src/transports/http/method-not-allowed.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Of each route: its methods and its path. */
const ROUTES = [
  ['GET', '/refs'],
  ['POST', '/refs'],
  ['GET', '/refs/lookup'],
  ['GET', '/refs/:id'],
  ['PUT', '/refs/:id'],
  ['DELETE', '/refs/:id/:part'],
  ['POST', '/refs/:id/verify'],
  ['GET', '/pages/*'],
  ['POST', '/pages/sign-in'],
  ['GET', '/files/:name.json'],
] as const

const PATHS = [
  '/refs',
  '/refs?a=1',
  '/refs/',
  '/refs/lookup',
  '/refs/%6Cookup',
  '/refs/lookup/verify',
  '/refs/one',
  '/refs/one%2Ftwo',
  '/refs/one/verify',
  '/refs/one/two',
  '/refs/one/two/three',
  '/Refs',
  '/pages/sign-in',
  '/pages/other',
  '/files/one.json',
  '/files/one.xml',
  '/',
]

/** A server with those routes, and what `prepare` adds after them. */
function serverWith(prepare: (app: FastifyInstance) => () => void): FastifyInstance {
  const app = fastify()
  const finish = prepare(app)
  for (const [method, url] of ROUTES) {
    app.route({
      method: method as HTTPMethods,
      url,
      handler: (_request, reply) => reply.send(`${method} ${url}`),
    })
  }
  finish()
  return app
}

/** What the answers should be: of a router that has a route for each method of each path. */
function everyRoute(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })
  return () => {
    for (const [url, methods] of [...known]) {
      if (url.endsWith('*')) continue
      const allow = [...methods].sort().join(', ')
      app.route({
        method: METHODS.filter((method) => !methods.has(method)),
        url,
        handler: (_request, reply) => reply.code(405).header('allow', allow).send(),
      })
    }
  }
}

function withOtherMethods(app: FastifyInstance): () => void {
  const otherMethods = answerOtherMethods(app)
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !otherMethods.refuse(request, reply)) done()
  })
  return otherMethods.finish
}

test('answers as if each path had a route for every method', async () => {
  const [app, expected] = [serverWith(withOtherMethods), serverWith(everyRoute)]
  for (const url of PATHS) {
    for (const method of METHODS) {
      const [got, wanted] = [
        await app.inject({ method, url }),
        await expected.inject({ method, url }),
      ]
      expect([method, url, got.statusCode, got.headers.allow]).toEqual([
        method,
        url,
        wanted.statusCode,
        wanted.headers.allow,
      ])
    }
  }
})

test('names the path for the log and the metrics', async () => {
  const app = serverWith((one) => {
    const finish = withOtherMethods(one)
    one.addHook('onResponse', (request, reply, done) => {
      named.push(`${reply.statusCode} ${request.routeOptions.url ?? request.refusedPath}`)
      done()
    })
    return finish
  })
  const named: string[] = []
  await app.inject({ method: 'POST', url: '/refs/one' })
  await app.inject({ method: 'POST', url: '/none' })
  expect(named).toEqual(['405 /refs/:id', '404 '])
})
