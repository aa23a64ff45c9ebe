// Validates every answer of every agent that the tests run in their process with the JSON Schema of its task in the
// release of its caller, and with what interop/ knows of the newer releases. A fault fails the test that was running.

import { appendFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, afterEach } from 'vitest'
import { ANSWERS, envelopeOf } from '../../interop/newer-shapes.mjs'
import { type Answered, onAnswer } from '../../src/agent/call.ts'
import { responseSchemaOf } from '../../src/agent/release-schemas.ts'
import { threadMs } from './thread-time.ts'

/** Answers of one test that wait for their judgement; what comes after them is not judged. */
const MAX_WAITING = 3_000
const MAX_TOLD = 5

interface Judge {
  waiting: Answered[]
  /** By level: how many answers were judged in this process since the last report. */
  judged: Record<string, number>
  isOff: boolean
  /** The processor time of that. */
  ms: number
}

// Test files share a process, and this file runs before each of them.
const processState = globalThis as { answerJudge?: Judge }
const judge = begin()

function begin(): Judge {
  if (processState.answerJudge) return processState.answerJudge
  const begun: Judge = { waiting: [], judged: {}, isOff: false, ms: 0 }
  processState.answerJudge = begun
  onAnswer((answered) => {
    if (!begun.isOff && begun.waiting.length < MAX_WAITING) begun.waiting.push(answered)
  })
  return begun
}

afterEach(() => {
  const began = threadMs()
  const faults = judge.waiting.splice(0).flatMap(faultsOf)
  judge.ms += threadMs() - began
  const told = [...new Set(faults)].slice(0, MAX_TOLD)
  if (told.length > 0) throw new Error(`answers do not fit their schemas:\n${told.join('\n')}`)
})

afterAll(() => {
  judge.isOff = false
  const file = process.env.ADWIRE_JUDGE_LOG
  const { judged } = judge
  if (file === undefined || Object.keys(judged).length === 0) return
  judge.judged = {}
  appendFileSync(file, `${JSON.stringify({ judged, ms: judge.ms })}\n`)
  judge.ms = 0
})

/** For tests whose tasks answer wrongly on purpose: the answers of this file are not judged. */
export function withoutJudge(): void {
  judge.isOff = true
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

function faultsOf(answered: Answered): string[] {
  const { entry, version, answer, identifiers } = answered
  const level = version ? (version.named ? version.release : version.level) : 'none'
  judge.judged[level] = (judge.judged[level] ?? 0) + 1
  const body = bodyOf(answer)
  if (body === undefined) return []
  const checks = version
    ? [...ownChecks(answered), ...newerChecks(answered)]
    : [refusalCheck(identifiers.errorMember)]
  return checks
    .flatMap((check) => (check(body) ? [] : (check.errors ?? [])))
    .map((error) => `${entry.task.name} ${level} ${lineOf(error)} in ${textOf(body)}`)
}

/** Undefined for what no JSON can hold: such an answer is not sent. */
function bodyOf(answer: Answered['answer']): unknown {
  try {
    return JSON.parse(answer.json())
  } catch {
    return undefined
  }
}

/** By the response schema of a task and the features of a release, which are the same for every server. */
const own = new WeakMap<object, Map<string, ValidateFunction[]>>()

function ownChecks({ entry, version, releases, identifiers }: Answered): ValidateFunction[] {
  const { features } = version as NonNullable<typeof version>
  const known = own.get(entry.task.response) ?? new Map<string, ValidateFunction[]>()
  own.set(entry.task.response, known)
  const key = [identifiers.name, ...features].join()
  const options = { releases, identifiers, isClosed: true }
  const checks = known.get(key) ?? compiledParts(responseSchemaOf(entry, { features }, options))
  known.set(key, checks)
  return checks
}

/** The members of a response are mostly the same in all releases: compiling them is most of the work. */
function compiledParts({ allOf, ...members }: Record<string, unknown>): ValidateFunction[] {
  return [members, { allOf }].map((part) => compiled(JSON.stringify(part), () => part))
}

const others = new Map<string, ValidateFunction>()

function compiled(name: string, schema: () => object): ValidateFunction {
  const check = others.get(name) ?? ajv.compile(schema())
  others.set(name, check)
  return check
}

/** What the newer releases require, read independently of the server's own schemas. */
const NEWER: readonly string[] = ['3.1', '3.2']

function newerChecks({ entry: { task }, version, identifiers }: Answered): ValidateFunction[] {
  if (version?.named !== 'release' || !NEWER.includes(version.level)) return []
  const { name } = identifiers
  const inNames = (schema: object) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"adcp', `"${name}`)) as object
  const shapes = new Map(Object.entries(ANSWERS))
  const shape = shapes.get(task.name.replace('get_agent_', 'get_adcp_'))
  const hasStatus = !task.hasNoStatus
  const { release } = version
  return [
    compiled(`${name} ${release} ${hasStatus}`, () => inNames(envelopeOf(release, { hasStatus }))),
    ...(shape ? [compiled(`${name} ${task.name}`, () => inNames(shape))] : []),
  ]
}

function refusalCheck(errorMember: string): ValidateFunction {
  const error = { type: 'object', required: ['code', 'message', 'recovery'] }
  return compiled(`refusal ${errorMember}`, () => ({
    type: 'object',
    required: ['status', 'errors', errorMember],
    properties: {
      status: { const: 'failed' },
      errors: { type: 'array', minItems: 1, items: error },
      [errorMember]: error,
    },
  }))
}

function lineOf({ instancePath, message, params, schemaPath }: ErrorObject): string {
  const reported = Object.values(params).filter((one) => typeof one === 'string')
  return `${instancePath || '/'} ${message} ${reported.join(' ')} (${schemaPath.slice(-90)})`
}

function textOf(body: unknown): string {
  return JSON.stringify(body).slice(0, 400)
}
