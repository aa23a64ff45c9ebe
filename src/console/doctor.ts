// The doctor as a page: runs that an operator starts, watches and stops, and their reports.

import { type AgentCaller, agentUrlFault, displayUrl } from './agents.ts'
import type { ExamineBody } from './api/doctor.ts'
import { type ActionPorts, act } from './audit.ts'
import { type DoctorRuns, detailsOf, type Run } from './doctor-runs.ts'
import type { Handlers } from './handlers.ts'
import { notFound, Refused, tooMany } from './refusal.ts'
import type { Visitor } from './sessions.ts'

export interface DoctorPorts extends ActionPorts {
  agents: Pick<AgentCaller, 'urlFault' | 'isOwnKey' | 'isOwn'>
  doctor: DoctorRuns
  /** Whether this server has a key to sign webhooks with. */
  hasSigningKey(): Promise<boolean>
  onFault(error: unknown): void
}

type DoctorRoute = 'listExaminations' | 'examine' | 'getExamination' | 'stopExamination'

export function doctorHandlers(ports: DoctorPorts): Handlers<DoctorRoute> {
  const { doctor } = ports
  const find = (runId: string): Run => {
    const run = doctor.get(runId)
    if (!run) throw notFound('such report: the server keeps the latest in its memory')
    return run
  }
  return {
    listExaminations: async () => ({
      items: doctor.list(),
      has_own_key: await ports.hasSigningKey(),
    }),
    getExamination: async ({ params }) => detailsOf(find(params.run_id)),
    examine: async ({ visitor, body }) => detailsOf(await examine(ports, visitor, body)),
    stopExamination: async ({ visitor, params }) => {
      const run = find(params.run_id)
      const action = { visitor, action: 'doctor.cancel', target: displayUrl(run.body.url) }
      await act(ports, action, async () => {
        if (run.state === 'running') return run.stop(`cancelled by ${visitor.principal.name}`)
        throw new Refused(409, 'conflict', 'this examination has already ended')
      })
      return detailsOf(run)
    },
  }
}

async function examine(ports: DoctorPorts, visitor: Visitor, body: ExamineBody): Promise<Run> {
  const { doctor } = ports
  const refusal = await refusalOf(ports, body)
  const action = {
    visitor,
    action: 'doctor.run',
    target: displayUrl(body.url),
    detail: whatOf(body),
  }
  await act(ports, action, async () => {
    if (refusal) throw refusal
    if (doctor.isFull()) throw full()
  })
  const { principal_id, name } = visitor.principal
  const run = doctor.start(body, { principal_id, name }, (ended) => report(ports, ended))
  if (run === 'full') throw full()
  return run
}

const RETRY_SECONDS = 10

function full(): Refused {
  const right = 'wait until one has ended, or cancel one'
  return tooMany(`too many examinations are running: ${right}`, RETRY_SECONDS)
}

function report(ports: DoctorPorts, { state, by, body, checks }: Run): void {
  const failed = checks.filter((check) => check.state === 'failed').length
  const entry = {
    principal_id: by.principal_id,
    principal_name: by.name,
    action: 'doctor.report',
    target: displayUrl(body.url),
    outcome: 'done' as const,
    detail: `${state}: ${checks.length} checks, ${failed} failed`,
  }
  ports.transact((tx) => ports.audit.add(tx, entry)).catch(ports.onFault)
}

async function refusalOf(ports: DoctorPorts, body: ExamineBody): Promise<Refused | undefined> {
  const fault = agentUrlFault(ports.agents, body.url)
  if (fault !== undefined) return new Refused(400, 'invalid_url', fault)
  if (body.subject === 'receiver') {
    const needsKey = body.credential.kind === 'own-key' && !(await ports.hasSigningKey())
    const message = 'this server has no signing key yet: make one, or examine with a legacy secret'
    return needsKey ? new Refused(409, 'conflict', message) : undefined
  }
  for (const key of [body.key, body.other_key]) {
    if (key === undefined || ports.agents.isOwn(body.url)) continue
    if (!(await ports.agents.isOwnKey(key))) continue
    const message = 'this is a key of this server, which is sent to no other: give one of the agent'
    return new Refused(400, 'own_key', message)
  }
  return undefined
}

function whatOf(body: ExamineBody): string {
  if (body.subject === 'receiver') return `receiver, by ${body.credential.kind}`
  return body.may_write ? 'agent, with checks that change something' : 'agent'
}
