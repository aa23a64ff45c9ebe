// Durations of requests by route, method and status, as a Prometheus histogram. Counted in plain arrays, because an
// array lookup is faster than a labelled observation.

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const NAME = 'adwire_http_request_duration_seconds'

interface Series {
  labels: string
  counts: number[]
  count: number
  sum: number
}

interface AnsweredRequest {
  route: string
  method: string
  status: number
}

export interface HttpMetrics {
  observe(answered: AnsweredRequest, seconds: number): void
  /** Like observe, for a series that is recorded often: looks up its index once. */
  series(answered: AnsweredRequest): (seconds: number) => void
  /** The histogram in the text format of Prometheus. */
  text(): string
}

export function createHttpMetrics(): HttpMetrics {
  const routes = new Map<string, Map<number, Series>>()

  const seriesOf = ({ route, method, status }: AnsweredRequest): Series => {
    const key = `${method} ${route}`
    const byStatus = routes.get(key) ?? new Map<number, Series>()
    if (byStatus.size === 0) routes.set(key, byStatus)
    let series = byStatus.get(status)
    if (!series) {
      const labels = `route="${route}",method="${method}",status="${status}"`
      series = { labels, counts: BUCKETS_SECONDS.map(() => 0), count: 0, sum: 0 }
      byStatus.set(status, series)
    }
    return series
  }

  return {
    observe: (answered, seconds) => count(seriesOf(answered), seconds),
    series: (answered) => {
      const series = seriesOf(answered)
      return (seconds) => count(series, seconds)
    },
    text: () => {
      const lines = [`# HELP ${NAME} Time to answer a request.`, `# TYPE ${NAME} histogram`]
      for (const byStatus of routes.values()) {
        for (const series of byStatus.values()) lines.push(...seriesLines(series))
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function count(series: Series, seconds: number): void {
  let bucket = 0
  while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket++
  if (bucket < series.counts.length) series.counts[bucket] = (series.counts[bucket] as number) + 1
  series.count++
  series.sum += seconds
}

function seriesLines({ labels, counts, count, sum }: Series): string[] {
  let running = 0
  const buckets = BUCKETS_SECONDS.map((bound, index) => {
    running += counts[index] ?? 0
    return `${NAME}_bucket{${labels},le="${bound}"} ${running}`
  })
  return [
    ...buckets,
    `${NAME}_bucket{${labels},le="+Inf"} ${count}`,
    `${NAME}_sum{${labels}} ${sum}`,
    `${NAME}_count{${labels}} ${count}`,
  ]
}
