// Trying an agent and examining one, in a real browser: a form made of a third party's schema, a call that is followed, a report.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tryJsonObject } from '../../src/lib/try-json.ts'
import { BROWSER_TITLE, CHROMIUM, leaveBrowser, openBrowser } from '../support/browser.ts'
import {
  axeFaults,
  type ConsolePage,
  type ConsoleServer,
  cutOff,
  openConsole,
  type PageOptions,
  startConsole,
} from '../support/console-pages.ts'
import { json, type RogueAgent, startRogueAgent } from '../support/rogue-agent.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

/** Every kind of field, and what a third party may put into a schema. */
const SCHEMA = {
  type: 'object',
  description: HOSTILE,
  properties: {
    name: { type: 'string', title: HOSTILE, minLength: 2, pattern: '^(a+)+$' },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    kind: { enum: ['large', 'small'] },
    when: { type: ['string', 'null'], format: 'date-time' },
    target: {
      oneOf: [
        {
          title: 'By id',
          type: 'object',
          properties: { by: { const: 'id' }, id: { type: 'string' } },
          required: ['by', 'id'],
        },
        {
          title: 'Everyone',
          type: 'object',
          properties: { by: { const: 'all' } },
          required: ['by'],
        },
      ],
    },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
    tree: { $ref: '#/$defs/tree' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    anything: {},
  },
  required: ['name', 'count', 'target'],
  $defs: {
    tree: {
      type: 'object',
      properties: {
        leaf: { type: 'boolean' },
        kids: { type: 'array', items: { $ref: '#/$defs/tree' } },
      },
    },
  },
}

interface Rpc {
  id?: number
  method?: string
  params?: Record<string, unknown>
}

let browser: Browser
let server: ConsoleServer
let agent: RogueAgent
/** What the agent's task was called with. */
const called: unknown[] = []
let polls = 0

describe.skipIf(!CHROMIUM)(`agents in the console ${BROWSER_TITLE}`, () => {
  beforeAll(async () => {
    ;[browser, server, agent] = await Promise.all([
      openBrowser(),
      startConsole(),
      startRogueAgent(),
    ])
    agent.answerWith(({ body }, response) => {
      const { id, method, params } = (tryJsonObject(body) ?? {}) as Rpc
      if (method === undefined || !params) return json(response, 404, {})
      const answer = (structuredContent: object) =>
        json(response, 200, { jsonrpc: '2.0', id, result: { structuredContent } })
      if (method === 'tools/list') {
        const result = { tools: [{ name: 'order', description: HOSTILE, inputSchema: SCHEMA }] }
        return json(response, 200, { jsonrpc: '2.0', id, result })
      }
      if (params.name === 'order') {
        called.push(params.arguments)
        return answer({ status: 'working', task_id: 'order-1', message: HOSTILE })
      }
      polls += 1
      const status = polls > 1 ? 'completed' : 'working'
      return answer({ task_id: 'order-1', status, result: { reported: HOSTILE } })
    })
  })
  afterAll(async () => {
    await leaveBrowser()
    await server?.stop()
    await agent?.stop()
  })

  async function inPage(options: PageOptions, look: (page: ConsolePage) => Promise<void>) {
    const page = await openConsole(browser, server, options)
    await look(page)
    expect(page.faults).toEqual([])
    await page.context().close()
  }
  const ask = async (page: ConsolePage, url: string) => {
    await page.getByLabel('Address of the agent').fill(url)
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
  }

  test('a task is found by the agent’s address, filled in, called, followed to its end and displayed', async () => {
    await inPage({ path: '/agents' }, async (page) => {
      await ask(page, agent.url)
      await page.getByRole('button', { name: /^order/ }).click()
      await page.getByText('answers, 1 tasks').waitFor()
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()

      await page.getByLabel(/^name/).fill('Anna')
      await page.getByLabel(/^count/).fill('3')
      await page.getByLabel('Variant of target').selectOption('Everyone')
      const add = async (name: string) => {
        await page.getByLabel('Field to add').first().selectOption(name)
        await page.getByRole('button', { name: 'Add a field' }).last().click()
      }
      await add('tags')
      await page.getByRole('button', { name: 'Add to tags' }).click()
      await page.getByLabel('1', { exact: true }).fill('first')
      await page.getByRole('button', { name: 'Add to tags' }).click()
      await page.getByLabel('2', { exact: true }).fill('second')
      await page.getByRole('button', { name: 'Move tags 2 up' }).click()
      await add('anything')
      await page.getByRole('textbox', { name: 'anything' }).fill('{ "broken": ')
      await page.getByText(/This is not JSON/).waitFor()
      expect(await page.getByRole('button', { name: 'Call', exact: true }).isDisabled()).toBe(true)
      await page.getByRole('textbox', { name: 'anything' }).fill('{ "fixed": [1] }')
      expect(await axeFaults(page)).toEqual([])

      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Call' }).click()
      await page.locator('.badge', { hasText: 'completed' }).waitFor()
      expect(called).toHaveLength(1)
      expect(called[0]).toMatchObject({
        name: 'Anna',
        count: 3,
        target: { by: 'all' },
        tags: ['second', 'first'],
        anything: { fixed: [1] },
      })
      await page.locator('.exchanges summary').first().click()
      await page.getByRole('table', { name: 'Headers of the request' }).waitFor()
      await page.getByRole('button', { name: 'Copy the command for adwire call' }).click()
      const command = await page.evaluate('navigator.clipboard.readText()')
      expect(command).toContain(`adwire call '${agent.url}/mcp' 'order'`)
      expect(await page.title()).toBe('Agents · Adwire console')
    })
  })

  test('invalid values are reported beside their field, also with the keyboard, and can be sent anyway', async () => {
    await inPage(
      {
        path: `/agents?task=order&url=${encodeURIComponent(agent.url)}`,
        width: 360,
        scheme: 'dark',
      },
      async (page) => {
        await ask(page, agent.url)
        await page.getByLabel(/^count/).fill('12')
        await page.getByRole('button', { name: 'Call', exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Call' }).click()
        await page.getByRole('button', { name: 'Call anyway' }).waitFor()
        const count = page.getByLabel(/^count/)
        expect(await count.getAttribute('aria-invalid')).toBe('true')
        const reported = await count.getAttribute('aria-describedby')
        expect(await page.locator(`[id="${reported}"]`).textContent()).toContain('At most 9.')
        expect(await axeFaults(page)).toEqual([])
        expect(await cutOff(page)).toEqual([])

        await page.getByRole('button', { name: 'JSON', exact: true }).press('Enter')
        const whole = page.getByLabel('Request of order').last()
        expect(JSON.parse(await whole.inputValue())).toMatchObject({ count: 12 })
      },
    )
  })

  test('the key stays in the memory of the page: it is in no address and in no storage', async () => {
    await inPage({ path: '/agents' }, async (page) => {
      await page.getByLabel('Key', { exact: true }).fill('secret-of-the-page')
      await ask(page, agent.url)
      await page.getByText('answers, 1 tasks').waitFor()
      const kept = await page.evaluate(
        'location.href + JSON.stringify({ ...localStorage, ...sessionStorage })',
      )
      expect(kept).toContain(agent.url)
      expect(kept).not.toContain('secret-of-the-page')
      await page.reload()
      expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('')
    })
  })

  test('an address that must not or cannot be called is reported as a readable message', async () => {
    await inPage({ path: '/agents', width: 360 }, async (page) => {
      await ask(page, 'http://127.0.0.1:9')
      await page.getByRole('heading', { name: 'No agent responds there' }).waitFor()
      expect(await cutOff(page)).toEqual([])
      await ask(page, 'https://user:pw@agent.example')
      // The browser notes every refusal as a fault of its own.
      await page.getByRole('alert').filter({ hasText: 'user name or password' }).waitFor()
      page.faults.length = 0
    })
  })

  test('an agent is examined, and its report groups what is right, wrong and not checked', async () => {
    await inPage({ path: '/agents/doctor' }, async (page) => {
      await page.getByRole('heading', { name: 'Nothing was examined yet' }).waitFor()
      expect(await axeFaults(page)).toEqual([])
      await page.getByLabel('Address of the agent').fill(agent.url)
      await page.getByRole('button', { name: 'Examine', exact: true }).click()
      await page.getByRole('heading', { name: 'What is wrong' }).waitFor()
      await page.getByRole('button', { name: 'Download as JSON' }).waitFor()
      await page.getByText('Why it matters').first().waitFor()
      await page.getByRole('heading', { name: 'Skipped' }).waitFor()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download as JSON' }).click()
      expect((await downloading).suggestedFilename()).toMatch(/^doctor-127\.0\.0\.1-\d+\.json$/)
      expect(await axeFaults(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 800 })
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await axeFaults(page)).toEqual([])
      expect(await cutOff(page)).toEqual([])
    })
  })

  test('a viewer sees that only operators can call agents, and can still read reports', async () => {
    const session = {
      roles: ['viewer'],
      principal: { principal_id: 'p', name: 'Support' },
      csrf: 'x',
    }
    const body = { ...session, expires_at: '2099-01-01T00:00:00.000Z', demo: true }
    await inPage({ path: '/agents', answers: { '/session': { body } } }, async (page) => {
      await page.getByRole('heading', { name: 'Only operators can call agents' }).waitFor()
      await page.getByRole('link', { name: 'Doctor' }).click()
      await page.getByRole('heading', { name: 'Only operators can run the doctor' }).waitFor()
      expect(await page.getByRole('button', { name: 'Examine' }).count()).toBe(0)
      await page.locator('a.open').first().click()
      await page.getByRole('heading', { name: 'What is wrong' }).waitFor()
    })
  })

  test('a server that is gone is reported, and retrying is possible', async () => {
    await inPage({ path: '/agents/doctor' }, async (page) => {
      await page.route('**/console/api/**', (route) => route.abort('connectionrefused'))
      await page.getByLabel('Address of the agent').fill(agent.url)
      await page.getByRole('button', { name: 'Examine', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: 'does not answer' }).first().waitFor()
      await page.unroute('**/console/api/**')
      await page.getByRole('button', { name: 'Examine', exact: true }).click()
      await page.getByRole('heading', { name: 'What is wrong' }).waitFor()
      page.faults.length = 0
    })
  })
})
