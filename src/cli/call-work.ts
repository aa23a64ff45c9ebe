// The work of `adwire call`: finds the agent and its key, reads the request from JSON and flags, calls, follows, and
// prints the answer or why there is none.

import { readEnvironment } from '../app/env.ts'
import { agentError } from '../client/agent-error.ts'
import { type AgentHandle, openAgent } from '../client/open-agent.ts'
import type { AgentError, CallOutcome } from '../client/outcome.ts'
import { systemClock } from '../lib/clock.ts'
import { startDeadline, withDeadline } from '../lib/deadline.ts'
import { defined } from '../lib/defined.ts'
import { escapeControls } from '../lib/escape-controls.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import { type CallFailure, type ClientFetch, throughEgress } from '../transports/client.ts'
import { findAgent } from './agents.ts'
import type { TransportName } from './agents-file.ts'
import { durationOf } from './arguments.ts'
import { showAnswer } from './call-answer.ts'
import { callFailure, type FailedAt, followUp } from './call-failure.ts'
import { followCall } from './call-progress.ts'
import { type CallWebhooks, type ReceiveFlags, receiveAt, webhooksOf } from './call-receive.ts'
import { signerFor, signKeyFrom } from './call-signer.ts'
import { CommandError } from './exit-codes.ts'
import { membersFrom, takeFlags, wantedOf } from './field-flags.ts'
import { type FoundFields, findFields } from './find-fields.ts'
import { fittedLines } from './fitted-table.ts'
import { readJsonObject } from './input-text.ts'
import { isLoopbackUrl, openEgress } from './own-egress.ts'
import { pastedWord, printableText } from './printable-text.ts'
import { readSecret } from './secret-argument.ts'
import { configFrom } from './settings-options.ts'
import { print, UsageError } from './terminal.ts'

export interface CallFlags extends ReceiveFlags {
  json?: boolean
  transport?: TransportName
  auth?: string
  signKey?: string
  timeout?: string
  pollInterval?: string
  protocolVersion: string
  allowPrivate?: boolean
  help?: boolean
}

export interface CallArguments {
  agent: string
  task: string | undefined
  /** The arguments after the task: JSON, and flags that are members of the request. */
  words: readonly string[]
  /** Flags of the command itself. */
  own: readonly string[]
  flags: CallFlags
}

/** The state of one run of the command. */
interface Run extends CallArguments {
  agentUrl: string
  handle: AgentHandle
  fetch: ClientFetch
  /** Aborted by Ctrl-C and at the end of --timeout. */
  signal: AbortSignal
  /** When everything must have ended, in milliseconds. */
  deadline: number | undefined
  at: FailedAt
  /** With --receive. */
  webhooks: CallWebhooks | undefined
}

export async function call(given: CallArguments): Promise<void> {
  const { agent, task, words, flags } = given
  if (flags.auth === '-' && words.includes('-')) {
    throw new UsageError('--auth - and the request cannot both come from standard input')
  }
  const saved = findAgent(agent)
  const config = configFrom({ ...flags })
  const timeoutMs =
    flags.timeout === undefined
      ? undefined
      : durationOf('--timeout', flags.timeout, { isSome: true })
  const egress = egressTo(saved.url, config, flags)
  const receiving = receiveAt(flags)
  const { protocolName } = config
  const signKey = flags.signKey ?? saved.signKey
  const makeSigner = signKey === undefined ? undefined : signKeyFrom(signKey, protocolName)
  const auth = await keyFor(flags, saved.auth)
  const at: FailedAt = {
    agent,
    task,
    isGuarded: false,
    hasKey: auth !== undefined,
    isSigned: makeSigner !== undefined,
  }
  const guarded: Pick<typeof egress, 'fetch'> = {
    fetch: async (request) => {
      const result = await egress.fetch(request)
      at.isGuarded = !result.ok && result.code === 'address_refused'
      return result
    },
  }
  const fetch = throughEgress(guarded, defined({ timeoutMs }))
  const interrupt = onInterrupt()
  const whole = startDeadline({ signals: [interrupt.signal], ...defined({ timeoutMs }) })
  const { signal } = whole
  // Looking up the agent's keys counts towards the time limit of the call.
  const keyEgress: Pick<typeof egress, 'fetch'> = {
    fetch: (request) => egress.fetch({ signal, ...request }),
  }
  const webhooks =
    receiving && webhooksOf({ ...receiving, agentUrl: saved.url, egress: keyEgress, protocolName })
  let handle: AgentHandle | undefined
  try {
    const deadline = timeoutMs === undefined ? undefined : systemClock.now() + timeoutMs
    const transport = flags.transport ?? saved.transport
    const options = { agentUrl: saved.url, fetch, protocolName, ...defined({ transport, auth }) }
    const signed =
      makeSigner &&
      (await withinAskTime(signal, (limited) =>
        signerFor(makeSigner, options, { signal: limited, timeoutMs }),
      ))
    if (signed?.ok === false) throw failure(signed.error, { at, flags })
    const version = flags.protocolVersion === 'none' ? undefined : flags.protocolVersion
    const { receiver } = webhooks ?? {}
    handle = openAgent({ ...options, ...defined({ signer: signed?.signer, receiver, version }) })
    const run = {
      ...given,
      agentUrl: saved.url,
      handle,
      fetch,
      signal,
      deadline,
      at,
      webhooks,
    }
    if (task === undefined) await listTasks(run)
    else if (flags.help) await showFields(task, run)
    else await callTask(task, run)
  } finally {
    interrupt.stop()
    whole.end()
    await handle?.close()
    await webhooks?.close()
    await egress.close()
  }
}

/** Throws a UsageError if this address may not be called. */
function egressTo(
  url: string,
  config: ReturnType<typeof configFrom>,
  { allowPrivate }: CallFlags,
): Egress {
  const egress = openEgress(config, { allowPrivate, allowLoopback: isLoopbackUrl(url) })
  const checked = egress.checkUrl(url)
  if (checked.ok) return egress
  const right = 'add --allow-private if the agent is on your own network'
  throw new UsageError(`${checked.message}: ${right}`)
}

async function keyFor({ auth }: CallFlags, saved: string | undefined): Promise<string | undefined> {
  if (auth !== undefined) return readSecret('--auth', auth)
  const { ADWIRE_CALL_KEY: key } = readEnvironment()
  return saved ?? (key ? readSecret('ADWIRE_CALL_KEY', key) : undefined)
}

/** The first Ctrl-C ends the call and reports what is known about it; a second one ends the program. */
function onInterrupt(): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end)
  return { signal: controller.signal, stop: () => process.off('SIGINT', end) }
}

const ASK_MS = 60_000

/** Limits the total time for querying an agent about itself, however many requests that takes. */
function withinAskTime<T>(
  signal: AbortSignal,
  ask: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline({ timeoutMs: ASK_MS, signals: [signal] }, ask)
}

async function listTasks(run: Run): Promise<void> {
  const list = await withinAskTime(run.signal, (signal) => run.handle.listTasks({ signal }))
  if (!list.ok) throw listFailure(list, run)
  if (list.isCut)
    process.stderr.write('the agent lists more tasks than these: the rest was not read\n')
  if (run.flags.json) return print(escapeControls(JSON.stringify(list.tasks)))
  const rows = list.tasks.map(({ name, description = '' }) => [name, description])
  for (const line of fittedLines(
    { header: ['task', 'description'], rows },
    process.stdout.columns,
  )) {
    print(line)
  }
}

function listFailure(failed: CallFailure, run: Run): CommandError {
  return failure(agentError(failed), run)
}

function failure(error: AgentError, { at, flags }: Pick<Run, 'at' | 'flags'>): CommandError {
  if (flags.json) print(escapeControls(JSON.stringify({ error })))
  return callFailure(error, at)
}

async function showFields(task: string, run: Run): Promise<void> {
  const found = await fieldsOfTask(task, run)
  if (!found)
    return print(`the agent does not publish the fields of ${task}: give the request as JSON`)
  print(`Usage: adwire call ${run.agent} ${task} [json|@file|-] [--member value …]\n`)
  if (found.about) print(`${printableText(found.about)}\n`)
  const own = new Set(run.own)
  const rows = found.fields
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map((field) => [
      own.has(field.flag) ? `"${field.member}"` : field.flag,
      wantedOf(field),
      `${field.isRequired ? 'Required. ' : ''}${own.has(field.flag) ? 'In the JSON only. ' : ''}${field.about}`,
    ])
  for (const line of fittedLines(
    { header: ['member', 'takes', 'about'], rows },
    process.stdout.columns,
  )) {
    print(line)
  }
}

async function fieldsOfTask(task: string, run: Run): Promise<FoundFields | undefined> {
  const found = await withinAskTime(run.signal, (signal) => findFields(task, { ...run, signal }))
  if (found.ok) return found.found
  throw listFailure(found.failure, run)
}

async function callTask(task: string, run: Run): Promise<void> {
  const { flags, handle, signal, deadline, at, webhooks } = run
  const pollIntervalMs =
    flags.pollInterval === undefined ? undefined : durationOf('--poll-interval', flags.pollInterval)
  const params = await requestFrom(task, run)
  const wait = flags.wait === true || flags.watch === true
  const { onProgress, ended, stop } = followCall({
    watch: flags.watch === true,
    json: flags.json === true,
    isReceived: webhooks !== undefined,
    stderr: process.stderr,
    now: systemClock.now,
  })
  try {
    await webhooks?.open((fault) => onProgress({ by: 'webhook', fault }))
    const timeoutMs = deadline && Math.max(1, deadline - systemClock.now())
    const limits = defined({ timeoutMs, pollIntervalMs })
    const outcome = await handle.call(task, params, { wait, signal, onProgress, ...limits })
    stop()
    if (outcome.ok && wait) ended(outcome)
    end(outcome, { ...run, at: { ...at, taskId: outcome.taskId } })
  } finally {
    stop()
  }
}

/** JSON first, then flags, which take precedence. */
async function requestFrom(task: string, run: Run): Promise<Record<string, unknown>> {
  const { words, own } = run
  const hasFlags = words.some((word) => word.startsWith('-') && word !== '-')
  const found = hasFlags ? await fieldsOfTask(task, run) : undefined
  const fields = found?.fields.filter(({ flag }) => !own.includes(flag)) ?? []
  if (hasFlags && !found) {
    throw new UsageError(
      `the agent does not publish the fields of ${task}: give the request as JSON`,
    )
  }
  const { flags, rest } = takeFlags(words, fields, own)
  const [json, tooMuch] = rest
  if (tooMuch !== undefined) {
    throw new UsageError(
      `${printableText(tooMuch.slice(0, 100))} does not belong to a flag: quote values that contain spaces`,
    )
  }
  const request = json === undefined ? {} : await readJsonObject('the request', json)
  return { ...request, ...(await membersFrom(flags)) }
}

function end(outcome: CallOutcome, { flags, agent, at }: Run): void {
  const json = flags.json === true
  if (!outcome.ok) {
    const { error, status, body, taskId, operationId } = outcome
    if (json) print(escapeControls(JSON.stringify({ error, status, taskId, operationId, body })))
    throw callFailure(error, at)
  }
  showAnswer(outcome.body, { json })
  const { status, taskId } = outcome
  if (status === 'input-required') {
    const ask = `adwire call ${agent} provide_task_input --task-id ${pastedWord(taskId ?? '', '<task_id>')} --help`
    throw new CommandError('inputRequired', `the agent needs input to continue: ${ask}`)
  }
  if (status === 'completed' || taskId === undefined || json) return
  process.stderr.write(`${status}: ${followUp({ agent, taskId })}, or call with --wait\n`)
}
