// What Prometheus is told of the workshop: its jobs by their kind and end, how long they waited and ran,
// its processes and what became of them.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { JobReport } from '../lib/workshop/job.ts'
import type { GoneReason } from '../lib/workshop/seat.ts'
import type { Workshop } from '../lib/workshop/workshop.ts'

const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5, 20]

export function workshopMetrics(registry: Registry) {
  const registers = [registry]
  const jobs = new Counter({
    name: 'adwire_workshop_jobs_total',
    help: 'Jobs of the workshop, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const waitSeconds = new Histogram({
    name: 'adwire_workshop_wait_seconds',
    help: 'Time that jobs of the workshop waited for a process.',
    labelNames: ['kind'],
    buckets: BUCKETS,
    registers,
  })
  const runSeconds = new Histogram({
    name: 'adwire_workshop_run_seconds',
    help: 'Time that jobs of the workshop took once begun.',
    labelNames: ['kind'],
    buckets: BUCKETS,
    registers,
  })
  const ended = new Counter({
    name: 'adwire_workshop_processes_ended_total',
    help: 'Processes of the workshop that ended, by reason; each is replaced when there is work.',
    labelNames: ['reason'],
    registers,
  })
  return {
    worked: ({ kind, outcome, waitedMs, ranMs }: JobReport) => {
      jobs.inc({ kind, outcome })
      waitSeconds.observe({ kind }, waitedMs / 1_000)
      if (ranMs > 0) runSeconds.observe({ kind }, ranMs / 1_000)
    },
    workerGone: (reason: GoneReason) => ended.inc({ reason }),
    /** Asked at each scrape. */
    watchWorkshop: (workshop: Workshop) => watch(registry, workshop),
  }
}

function watch(registry: Registry, workshop: Workshop): void {
  const registers = [registry]
  new Gauge({
    name: 'adwire_workshop_processes',
    help: 'Processes of the workshop.',
    registers,
    collect() {
      this.set(workshop.count().workers)
    },
  })
  new Gauge({
    name: 'adwire_workshop_busy',
    help: 'Processes of the workshop that are at a job.',
    registers,
    collect() {
      this.set(workshop.count().busy)
    },
  })
  new Gauge({
    name: 'adwire_workshop_waiting',
    help: 'Jobs that wait for a process of the workshop, by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, count] of workshop.count().waiting) this.set({ kind }, count)
    },
  })
}
