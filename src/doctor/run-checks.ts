// Runs the rows of a table in order and reports the result of each. A check that throws or times out has no result:
// it is skipped, with the reason.

import { withTimeout } from '../lib/with-timeout.ts'
import { type Check, type Finding, quotedValue, skipped, type Verdict } from './check.ts'

export interface CheckResult {
  id: string
  group: string
  title: string
  state: Verdict['state']
  /** Why it was skipped. */
  reason?: string
  findings: Finding[]
}

export interface RunOptions {
  /** Ids or groups; default all. */
  only?: readonly string[] | undefined
  /** Whether checks may change data. */
  mayWrite: boolean
  /** Timeout of one check, in milliseconds. */
  timeoutMs: number
  /** Hears which check begins. */
  onProgress?: ((progress: { done: number; total: number; title: string }) => void) | undefined
  /** Hears how each ended. */
  onResult?: ((result: CheckResult) => void) | undefined
  /** Aborts the run: the current check and those after it are skipped. Default never. */
  signal?: AbortSignal | undefined
  /** The reason given for skipped checks that change data. Default: how to make the command run them. */
  notWriting?: string | undefined
}

/** What a run reports to its observers, and how it is stopped. */
export type Watching = Pick<
  RunOptions,
  'only' | 'onProgress' | 'onResult' | 'signal' | 'notWriting'
>

/**
 * Every check has a timeout, but there are many checks: this limits the total time for a peer that is slow with each.
 */
export const EXAMINATION_MS = 30 * 60 * 1_000

/** @internal */
export function chosenChecks<Context>(
  checks: readonly Check<Context>[],
  only: readonly string[] | undefined,
): readonly Check<Context>[] {
  if (only === undefined) return checks
  return checks.filter(({ id, group }) => only.includes(id) || only.includes(group))
}

/** The names in `only` that match neither a check nor a group. */
export function unknownNames<Context>(
  checks: readonly Check<Context>[],
  only: readonly string[],
): string[] {
  const known = new Set(checks.flatMap(({ id, group }) => [id, group]))
  return only.filter((name) => !known.has(name))
}

export async function runChecks<Context>(
  checks: readonly Check<Context>[],
  context: Context,
  options: RunOptions,
): Promise<CheckResult[]> {
  const chosen = chosenChecks(checks, options.only)
  const results = new Map<string, CheckResult>()
  for (const check of chosen) {
    options.onProgress?.({ done: results.size, total: chosen.length, title: check.title })
    const missing = missingFor(check, results)
    const verdict = options.signal?.aborted
      ? skipped(`not judged: ${whyAbandoned(options.signal)}`)
      : check.writes && !options.mayWrite
        ? skipped(options.notWriting ?? 'it changes something: give --write')
        : missing === undefined
          ? await verdictOf(check, context, options)
          : skipped(`needs ${missing}, which was not passed`)
    const result = resultOf(check, verdict)
    results.set(check.id, result)
    options.onResult?.(result)
  }
  return [...results.values()]
}

/** A check that was not requested does not block others. */
function missingFor<Context>(
  { needs = [] }: Check<Context>,
  results: ReadonlyMap<string, CheckResult>,
): string | undefined {
  return needs.find((id) => (results.get(id)?.state ?? 'passed') !== 'passed')
}

async function verdictOf<Context>(
  check: Check<Context>,
  context: Context,
  { timeoutMs, signal }: RunOptions,
): Promise<Verdict> {
  try {
    const verdict = await withTimeout(timeoutMs, abandoned(signal, check.run(context)))
    return verdict === 'late' ? skipped(`not judged within ${timeoutMs / 1_000} s`) : verdict
  } catch (error) {
    return skipped(
      `not judged: ${quotedValue(error instanceof Error ? error.message : String(error))}`,
    )
  }
}

function whyAbandoned({ reason }: AbortSignal): string {
  const isLate = reason instanceof Error && reason.name === 'TimeoutError'
  return isLate ? 'the time limit for all checks was reached' : 'the checks were cancelled'
}

/** The result of the work, or an error once it should no longer be waited for. */
async function abandoned<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error(whyAbandoned(signal)))
    // The check may have run for a while before anything could wait for it.
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function resultOf<Context>(
  { id, group, title, why, fix }: Check<Context>,
  verdict: Verdict,
): CheckResult {
  const findings =
    verdict.state === 'failed' ? verdict.found.map((what) => ({ check: id, what, why, fix })) : []
  return {
    id,
    group,
    title,
    state: verdict.state,
    findings,
    ...(verdict.state === 'skipped' ? { reason: verdict.reason } : {}),
  }
}
