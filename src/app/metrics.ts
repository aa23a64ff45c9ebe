// The metrics for Prometheus: the process, the requests, the registry's verification, tasks, webhooks, signals, the
// worker pool.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CallRecord } from '../agent/agent.ts'
import type { SignatureRecord } from '../agent/authentication.ts'
import type { SearchReport } from '../signals/get-signals.ts'
import type { HttpMetrics } from '../transports/http/http-metrics.ts'
import { workerPoolMetrics } from './worker-pool-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

interface AttemptMetric {
  status: string
  duration_ms: number
  /** Only for the first attempt: how long the event had waited. */
  delay_ms?: number | undefined
}

export function createMetrics(http: HttpMetrics) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    ...verificationMetrics(registry),
    ...taskMetrics(registry),
    ...webhookMetrics(registry),
    ...signalMetrics(registry),
    ...workerPoolMetrics(registry),
    inRoles: (roles: readonly string[]) => showRoles(registry, roles),
    /** Called at each scrape. */
    watchAnswers: (bytes: () => number) => watchAnswers(registry, bytes),
    text: async () => (await registry.metrics()) + http.text(),
  }
}

function showRoles(registry: Registry, roles: readonly string[]): void {
  const gauge = new Gauge({
    name: 'adwire_instance_role',
    help: '1 for each role of this instance.',
    labelNames: ['role'],
    registers: [registry],
  })
  for (const role of roles) gauge.set({ role }, 1)
}

function watchAnswers(registry: Registry, bytes: () => number): void {
  new Gauge({
    name: 'adwire_answer_bytes_reserved',
    help: 'Bytes reserved for answers, from before the work until the client has read them.',
    registers: [registry],
    collect() {
      this.set(bytes())
    },
  })
}

/** The registry’s verification. */
function verificationMetrics(registry: Registry) {
  const verifications = new Counter({
    name: 'adwire_reference_verifications_total',
    help: 'Verified manifest references, by result.',
    labelNames: ['status'],
    registers: [registry],
  })
  const verificationSeconds = new Histogram({
    name: 'adwire_reference_verification_duration_seconds',
    help: 'Time to verify a manifest reference.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 40],
    registers: [registry],
  })
  return {
    verified: (status: string, durationMs: number) => {
      verifications.inc({ status })
      verificationSeconds.observe(durationMs / 1_000)
    },
  }
}

/** Calls of tasks, and the steps of long-running ones. */
function taskMetrics(registry: Registry) {
  const calls = new Histogram({
    name: 'adwire_task_duration_seconds',
    help: 'Time to answer a call of a task, by task, transport and outcome.',
    labelNames: ['task', 'transport', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const steps = new Counter({
    name: 'adwire_task_steps_total',
    help: 'Steps of long tasks, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  })
  const signatures = new Counter({
    name: 'adwire_request_signatures_total',
    help: 'Signatures of requests that were judged, by outcome and code.',
    labelNames: ['outcome', 'code'],
    registers: [registry],
  })
  return {
    signatureChecked: ({ outcome, code = '' }: SignatureRecord) =>
      signatures.inc({ outcome, code }),
    called: ({ task, transport, outcome, duration_ms }: CallRecord) =>
      calls.observe({ task, transport, outcome }, duration_ms / 1_000),
    stepped: (task: string, outcome: string) => steps.inc({ task, outcome }),
  }
}

/** Deliveries of webhooks. */
function webhookMetrics(registry: Registry) {
  const attempts = new Counter({
    name: 'adwire_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome.',
    labelNames: ['status'],
    registers: [registry],
  })
  const attemptSeconds = new Histogram({
    name: 'adwire_webhook_attempt_duration_seconds',
    help: 'Time of one attempt to deliver a webhook.',
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 5, 15],
    registers: [registry],
  })
  const delaySeconds = new Histogram({
    name: 'adwire_webhook_delay_seconds',
    help: 'Time from the commit of an event to the first attempt to deliver it.',
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 5, 30, 300, 3_600],
    registers: [registry],
  })
  return {
    attempted: ({ status, duration_ms, delay_ms }: AttemptMetric) => {
      attempts.inc({ status })
      attemptSeconds.observe(duration_ms / 1_000)
      if (delay_ms !== undefined) delaySeconds.observe(delay_ms / 1_000)
    },
  }
}

/** Searches for signals, and their activation. */
function signalMetrics(registry: Registry) {
  const searchSeconds = new Histogram({
    name: 'adwire_signal_search_duration_seconds',
    help: 'Time of a search for signals, by how they were sought.',
    labelNames: ['mode'],
    buckets: [0.001, 0.005, 0.01, 0.03, 0.06, 0.1, 0.3, 1, 3],
    registers: [registry],
  })
  const foundSignals = new Counter({
    name: 'adwire_signals_found_total',
    help: 'Signals that searches answered with, by how they were sought.',
    labelNames: ['mode'],
    registers: [registry],
  })
  const refusedSearches = new Counter({
    name: 'adwire_signal_searches_refused_total',
    help: 'Searches that were not made or not ended, by why.',
    labelNames: ['reason'],
    registers: [registry],
  })
  const activations = new Counter({
    name: 'adwire_signal_activations_total',
    help: 'Targets on which signals were activated or deactivated, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return {
    searched: ({ mode, found, duration_ms }: SearchReport) => {
      searchSeconds.observe({ mode }, duration_ms / 1_000)
      foundSignals.inc({ mode }, found)
    },
    searchRefused: (reason: string) => refusedSearches.inc({ reason }),
    /** Queries at each scrape how many searches are waiting and running. */
    watchSearches: (stats: () => { waiting: number; running: number }) => {
      const gauge = new Gauge({
        name: 'adwire_signal_searches',
        help: 'Searches for signals, by whether they wait or are under way.',
        labelNames: ['state'],
        registers: [registry],
        collect: () => {
          const { waiting, running } = stats()
          gauge.set({ state: 'waiting' }, waiting)
          gauge.set({ state: 'running' }, running)
        },
      })
    },
    activated: (outcome: string) => activations.inc({ outcome }),
  }
}
