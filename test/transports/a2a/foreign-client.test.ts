import {
  type AgentCard,
  type Message,
  type SendMessageRequest,
  type Task,
  TaskState,
} from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type A2aServer, a2aServer } from '../../support/a2a-server.ts'
import { eventually } from '../../support/eventually.ts'
import { ALICE_KEY, BOB_KEY } from '../../support/test-agent.ts'

let server: A2aServer
beforeAll(async () => {
  server = await a2aServer()
})
afterAll(() => server.close())

/** Bodies of requests, to see which generation was spoken. */
const sent: string[] = []

const withKey =
  (key: string | undefined): typeof fetch =>
  (input, init) => {
    sent.push(String(init?.body ?? ''))
    return fetch(input, {
      ...init,
      headers: {
        ...(init?.headers as Record<string, string>),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
    })
  }

/** The card as a reader of that version alone would see it. */
async function clientOf(version: '1.0' | '0.3', key?: string): Promise<Client> {
  const fetchImpl = withKey(key)
  const legacyCompat = { enabled: true }
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat })
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
      cardResolver,
    }),
  )
  const raw = (await (await fetch(`${server.url}/.well-known/agent-card.json`)).json()) as object
  for (const path of ['/.well-known/agent.json', '/a2a/.well-known/agent-card.json']) {
    expect(await (await fetch(server.url + path)).json()).toEqual(raw)
  }
  const { supportedInterfaces: _interfaces, ...old } = raw as Record<string, unknown>
  const card: AgentCard = cardResolver.normalizeAgentCard(version === '1.0' ? raw : old)
  return factory.createFromAgentCard(card)
}

const message = (data: unknown, over: Partial<Message> = {}): Message => ({
  messageId: 'm-1',
  contextId: '',
  taskId: '',
  role: 1,
  parts: [
    { content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: '' },
  ],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
  ...over,
})
const request = (data: unknown, returnImmediately = false): SendMessageRequest => ({
  tenant: '',
  message: message(data),
  configuration: {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately,
  },
  metadata: undefined,
})
const dataOf = (task: Task) => {
  const content = task.artifacts[0]?.parts[0]?.content
  return content?.$case === 'data' ? content.value : undefined
}

test('the public resolver finds the card and chooses 1.0', async () => {
  const card = await new DefaultAgentCardResolver().resolve(server.url)
  expect(card).toMatchObject({ name: 'adwire', version: '1.2.3' })
  expect(card.supportedInterfaces[0]).toMatchObject({
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
    url: `${server.url}/a2a`,
  })
  expect(card.skills.map(({ id }) => id)).toContain('whoami')
})

describe.each(['1.0', '0.3'] as const)('the public A2A client, version %s,', (version) => {
  const send = async (client: Client, wanted: SendMessageRequest) =>
    (await client.sendMessage(wanted)) as Task

  test('calls a skill and finds the body in the first artifact, with its context', async () => {
    const client = await clientOf(version)
    const context = { trace: 't-1', list: [1, null] }
    const task = await send(
      client,
      request({ skill: 'greet', parameters: { who: 'you', context } }),
    )
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(task.contextId).not.toBe('')
    expect(sent.at(-1)).toContain(version === '1.0' ? '"SendMessage"' : '"message/send"')
    expect(dataOf(task)).toEqual({
      status: 'completed',
      greeting: 'hello you',
      proto_version: '3.1',
      context,
    })
  })

  test('finds what went wrong in the same place', async () => {
    const task = await send(await clientOf(version), request({ skill: 'refuse', input: {} }))
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED)
    expect(dataOf(task)).toMatchObject({ proto_error: { code: 'FORMAT_NOT_SUPPORTED' } })
  })

  test('requests its finished task again, and another caller does not find it', async () => {
    const alice = await clientOf(version, ALICE_KEY)
    const task = await send(alice, request({ skill: 'whoami', parameters: {} }))
    const again = await alice.getTask({ tenant: '', id: task.id })
    expect(dataOf(again)).toEqual(dataOf(task))
    for (const key of [BOB_KEY, undefined]) {
      const other = await clientOf(version, key)
      await expect(other.getTask({ tenant: '', id: task.id })).rejects.toThrow('Task not found')
    }
    await expect(
      alice.cancelTask({ tenant: '', id: task.id, metadata: undefined }),
    ).rejects.toThrow('Task cannot be canceled')
  })

  test('registers where it wants to be notified, and never sees its secrets again', async () => {
    const alice = await clientOf(version, ALICE_KEY)
    const task = await send(alice, request({ skill: 'submit', parameters: {} }))
    expect(task.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED)
    const made = await alice.createTaskPushNotificationConfig({
      tenant: '',
      taskId: task.id,
      id: 'hook',
      url: 'https://buyer.example/hook',
      token: 'token-secret',
      authentication: { scheme: 'Bearer', credentials: 'credential-secret-of-32-characters' },
    })
    const at = { tenant: '', taskId: task.id, id: 'hook' }
    const got = await alice.getTaskPushNotificationConfig(at)
    const { configs } = await alice.listTaskPushNotificationConfig({
      tenant: '',
      taskId: task.id,
      pageSize: 0,
      pageToken: '',
    })
    expect(configs).toHaveLength(1)
    for (const returned of [made, got, configs[0]]) {
      expect(returned).toMatchObject({
        taskId: task.id,
        id: 'hook',
        url: 'https://buyer.example/hook',
      })
      expect(JSON.stringify(returned)).not.toContain('secret')
    }
    const stored = await server.channels.list('prn_alice', `task:${task.id}`)
    expect(stored[0]?.secrets).toMatch(/^v1\./)

    const bob = await clientOf(version, BOB_KEY)
    await expect(bob.getTaskPushNotificationConfig(at)).rejects.toThrow('Task not found')
    await alice.deleteTaskPushNotificationConfig(at)
    await expect(alice.getTaskPushNotificationConfig(at)).rejects.toThrow('Task not found')
  })

  test('does not wait, and polls', async () => {
    const other = await a2aServer()
    const first = server
    server = other
    try {
      const alice = await clientOf(version, ALICE_KEY)
      const task = await send(alice, request({ skill: 'wait', parameters: {} }, true))
      expect(task.status?.state).toBe(TaskState.TASK_STATE_WORKING)
      const poll = () => alice.getTask({ tenant: '', id: task.id })
      expect((await poll()).status?.state).toBe(TaskState.TASK_STATE_WORKING)
      other.gate.open()
      const done = await eventually(async () => {
        const polled = await poll()
        expect(polled.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
        return polled
      })
      expect(dataOf(done)).toMatchObject({ greeting: 'at last' })
    } finally {
      server = first
      await other.close()
    }
  })

  test('cancels what it does not wait for', async () => {
    const alice = await clientOf(version, ALICE_KEY)
    const task = await send(alice, request({ skill: 'wait', parameters: {} }, true))
    const gone = await alice.cancelTask({ tenant: '', id: task.id, metadata: undefined })
    expect(gone.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    const again = await alice.getTask({ tenant: '', id: task.id })
    expect(again.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  })

  test('is refused without a key', async () => {
    const client = await clientOf(version)
    await expect(client.sendMessage(request({ skill: 'whoami' }))).rejects.toThrow('401')
  })
})
