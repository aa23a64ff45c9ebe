// The metrics of the worker pool for Prometheus: its jobs by kind and outcome, how long they waited and ran, its
// processes and how they ended.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { SvgRefusal } from '../creative/jobs/creative-worker-pool.ts'
import type { JobReport } from '../lib/worker-pool/job.ts'
import type { GoneReason } from '../lib/worker-pool/slot-job.ts'
import type { WorkerPool } from '../lib/worker-pool/worker-pool.ts'

const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5, 20]

export function workerPoolMetrics(registry: Registry) {
  const registers = [registry]
  const jobs = new Counter({
    name: 'adwire_worker_pool_jobs_total',
    help: 'Jobs of the worker pool, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const waitSeconds = new Histogram({
    name: 'adwire_worker_pool_wait_seconds',
    help: 'Time that jobs of the worker pool waited for a process, by kind and class: small, long, keyless.',
    labelNames: ['kind', 'class'],
    buckets: BUCKETS,
    registers,
  })
  const runSeconds = new Histogram({
    name: 'adwire_worker_pool_run_seconds',
    help: 'Time that jobs of the worker pool took once begun.',
    labelNames: ['kind'],
    buckets: BUCKETS,
    registers,
  })
  const ended = new Counter({
    name: 'adwire_worker_pool_processes_ended_total',
    help: 'Processes of the worker pool that ended, by reason; each is replaced when there is work.',
    labelNames: ['reason'],
    registers,
  })
  const svgs = new Counter({
    name: 'adwire_svg_refused_total',
    help: 'SVG files that were not drawn, by reason; remembered: the same file was refused before.',
    labelNames: ['reason'],
    registers,
  })
  return {
    worked: ({ kind, class: name, outcome, waitedMs, ranMs }: JobReport) => {
      jobs.inc({ kind, outcome })
      waitSeconds.observe({ kind, class: name }, waitedMs / 1_000)
      if (ranMs > 0) runSeconds.observe({ kind }, ranMs / 1_000)
    },
    workerGone: (reason: GoneReason) => ended.inc({ reason }),
    svgRefused: (reason: SvgRefusal) => svgs.inc({ reason }),
    /** Called at each scrape. */
    watchWorkerPool: (workerPool: WorkerPool) => watch(registry, workerPool),
  }
}

function watch(registry: Registry, workerPool: WorkerPool): void {
  /** A kind that waited before is reported as 0 when it no longer does. */
  const seen = new Map<string, { kind: string; class: string }>()
  const registers = [registry]
  new Gauge({
    name: 'adwire_worker_pool_processes',
    help: 'Processes of the worker pool.',
    registers,
    collect() {
      this.set(workerPool.count().workers)
    },
  })
  new Gauge({
    name: 'adwire_worker_pool_busy',
    help: 'Processes of the worker pool that are at a job.',
    registers,
    collect() {
      this.set(workerPool.count().busy)
    },
  })
  new Gauge({
    name: 'adwire_worker_pool_waiting',
    help: 'Jobs that wait for a process of the worker pool, by kind and class.',
    labelNames: ['kind', 'class'],
    registers,
    collect() {
      for (const labels of seen.values()) this.set(labels, 0)
      for (const { kind, class: name, count } of workerPool.count().waiting) {
        const labels = { kind, class: name }
        seen.set(`${kind} ${name}`, labels)
        this.set(labels, count)
      }
    },
  })
}
