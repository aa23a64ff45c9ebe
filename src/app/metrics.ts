// What Prometheus is told: the process, the requests, and the registry's verification.

import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { CallRecord } from '../agent/call.ts'
import type { HttpMetrics } from '../transports/http/http-metrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(http: HttpMetrics) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
  const calls = new Histogram({
    name: 'adwire_task_duration_seconds',
    help: 'Time to answer a call of a task, by task, wire and outcome.',
    labelNames: ['task', 'wire', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  })
  return {
    called: ({ task, wire, outcome, duration_ms }: CallRecord) =>
      calls.observe({ task, wire, outcome }, duration_ms / 1_000),
    verified: (status: string, durationMs: number) => {
      verifications.inc({ status })
      verificationSeconds.observe(durationMs / 1_000)
    },
    text: async () => (await registry.metrics()) + http.text(),
  }
}
