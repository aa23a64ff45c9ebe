// The compliance of agents: its routes, and the worker that examines them with the checks of the doctor.

import { examineAgent } from '../doctor/examine-agent.ts'
import { REACHABLE } from '../doctor/report.ts'
import { createRateLimit } from '../lib/token-bucket.ts'
import { CATALOGUE_LIMITS } from '../registry/catalogue-limits.ts'
import { type CheckPorts, EXAMINATION_MS } from '../registry/compliance/check-agent.ts'
import { createExaminationWorker } from '../registry/compliance/examination-worker.ts'
import { probeAgent } from '../registry/compliance/probe-agent.ts'
import type { GatePorts } from '../transports/http/registry/answers.ts'
import { badgeRoutes } from '../transports/http/registry/badge-routes.ts'
import { complianceRoutes } from '../transports/http/registry/compliance-routes.ts'
import { probedAgents } from './open-probed-agent.ts'
import type { Area, Parts } from './parts.ts'

const CALL_MS = 10_000
/** For its health and capabilities, after the checks. */
const PROBE_MS = 25_000

export function wireCompliance(
  parts: Parts,
  gate: GatePorts & { resourceMetadataUrl: () => string },
): Area {
  const { clock, config, storage, onFault, stopping } = parts
  const examines = config.registryVerifyConcurrency > 0
  const { transact, feed, compliance, organizations, directory } = storage
  const ports = { transact, feed, compliance, examine: examiner(parts) }
  const perMinute = CATALOGUE_LIMITS.examinationsPerMinute.value
  const siteMinute = CATALOGUE_LIMITS.examinationsOfSite.value
  const reads = createRateLimit({ clock, perMinute: CATALOGUE_LIMITS.agentReadsPerMinute.value })
  return {
    routes: [
      badgeRoutes({
        directory,
        compliance,
        clock,
        reads,
        publicUrl: parts.publicUrl,
        protocolName: parts.config.protocolName,
        protocolVersion: parts.releases.majorOnly().release,
      }),
      complianceRoutes({
        ...gate,
        ...ports,
        organizations,
        directory,
        clock,
        reads,
        stopping,
        examinations: createRateLimit({ clock, perMinute }),
        ofSite: createRateLimit({ clock, perMinute: siteMinute }),
      }),
    ],
    workers: examines ? [createExaminationWorker({ ...ports, directory, onFault })] : [],
  }
}

/** Nothing is changed at the agent, and no credential is sent. */
function examiner({ config, egress, clock }: Parts): CheckPorts['examine'] {
  const probing = { clock, openAgent: probedAgents(egress), checkUrl: egress.checkUrl }
  return async (agentUrl, signal) => {
    const report = await examineAgent({
      agentUrl,
      protocolName: config.protocolName,
      egress,
      callTimeoutMs: CALL_MS,
      webhookWaitMs: CALL_MS,
      wholeTimeoutMs: EXAMINATION_MS - PROBE_MS,
      signal,
    })
    const checks = report.checks.map(({ id, group, title, state, findings }) => ({
      id,
      group,
      title,
      state,
      what: findings[0]?.what,
    }))
    const isReached = !checks.some(({ id, state }) => id === REACHABLE && state === 'failed')
    const probe = signal.aborted ? undefined : await probeAgent(probing, agentUrl)
    return { isReached, checks, probe }
  }
}
