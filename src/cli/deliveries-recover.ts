// `adwire deliveries recover`: resends what an endpoint has missed since a given time. The job is kept in the
// database: if this command is stopped, a server continues it.

import { Option } from 'commander'
import type { Storage } from '../app/open-storage.ts'
import { pause } from '../lib/pause.ts'
import { RECOVERED, type Recovered, type Recovery } from '../webhooks/sender/recovery-store.ts'
import { HORIZON_MS } from '../webhooks/sender/retry-policy.ts'
import type { OwnedEndpoint } from '../webhooks/sender/store.ts'
import { sinceOf } from './arguments.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, UsageError } from './terminal.ts'

interface RecoverOptions {
  endpoint: string
  since: string
  which: Recovered
  principal?: string
  count?: boolean
}

export function recover() {
  return storageCommand('recover')
    .description('Resend the deliveries that an endpoint missed since a given time.')
    .requiredOption('--endpoint <url>', 'URL of the endpoint, without its query')
    .requiredOption('--since <when>', 'only deliveries created since: 90m, 12h, 7d, or an ISO time')
    .addOption(
      new Option('--which <which>', 'failed deliveries, or all that have ended')
        .choices(RECOVERED)
        .default('failed'),
    )
    .option('--principal <principal_id>', 'only deliveries of this principal')
    .option('--count', 'only print the number of deliveries')
    .action((options: RecoverOptions) =>
      withStorage({ ...options }, async (storage) => {
        const since = sinceOf(options.since)
        for (const of of await ownersOf(storage, options)) {
          const selection = { ...of, which: options.which, since }
          if (options.count) {
            const { found, isAll } = await storage.recoveries.count(selection)
            print(`${isAll ? found : `more than ${found}`} of ${of.owner}`)
            continue
          }
          const begun = await storage.transact((tx) =>
            storage.recoveries.begin(tx, { ...selection, requested_by: 'command line' }),
          )
          if (!begun) throw new UsageError(`a recovery of ${named(of)} is already running`)
          const { state, sent, total, passed_over } = await carryOut(storage, begun)
          const rest =
            passed_over === 0 ? '' : `; skipped ${passed_over} whose registration no longer exists`
          print(`${state}: sent ${sent} of ${total} again to ${named(of)}${rest}`)
        }
      }),
    )
}

const PAGE = 100

/** Endpoints of different owners are separate, even if they have the same URL. */
async function ownersOf(
  { consoleQueries }: Storage,
  { endpoint, principal: owner }: RecoverOptions,
): Promise<OwnedEndpoint[]> {
  const found: OwnedEndpoint[] = []
  let after: OwnedEndpoint | undefined
  do {
    const page = await consoleQueries.endpoints({ owner, contains: endpoint, after, limit: PAGE })
    found.push(...page.rows.filter((row) => row.endpoint === endpoint))
    after = page.next
  } while (after)
  if (found.length > 0) return found
  throw new UsageError(`no deliveries to ${endpoint}: adwire deliveries list shows the endpoints`)
}

const LOOK_MS = 200

/** Running servers share the work. */
async function carryOut({ transact, recoveries }: Storage, begun: Recovery): Promise<Recovery> {
  const { recovery_id } = begun
  for (;;) {
    const stepped = await transact((tx) => recoveries.step(tx, HORIZON_MS, recovery_id))
    const now = stepped ?? (await recoveries.get(recovery_id)) ?? begun
    if (now.ended_at !== undefined) return now
    if (!stepped) await pause(LOOK_MS, new AbortController().signal)
  }
}

function named({ owner, endpoint }: OwnedEndpoint): string {
  return `${endpoint} of ${owner}`
}
