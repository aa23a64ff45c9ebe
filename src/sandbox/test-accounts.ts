// Accounts that graders invent to isolate a test: an account id that does not exist contains what its caller seeded,
// and nothing else. So a list can be paged through whatever else the sandbox contains.

import type { FormatCatalogue } from '../creative/format-catalogue.ts'
import type { Transact } from '../lib/transaction.ts'
import type { AccountStore } from '../media-buys/account-store.ts'
import type { RequestEnvelope } from '../protocol/schemas/envelope.ts'
import type { AnyTask, CallContext } from '../protocol/task.ts'
import { seededIds } from './seeds.ts'
import type { SandboxStore } from './store.ts'

export interface TestAccountPorts {
  transact: Transact
  notes: SandboxStore
  accounts: AccountStore
  /** The formats that a caller seeded. */
  formatsOf: (owner: string) => FormatCatalogue | undefined
  /** `list_creative_formats` of a catalogue. */
  listFormats: (catalogue: FormatCatalogue) => AnyTask
}

type Request = RequestEnvelope & { filters?: { creative_ids?: readonly string[] } }

export function withTestAccounts(tasks: readonly AnyTask[], ports: TestAccountPorts): AnyTask[] {
  return tasks.map((task) => {
    const alone = ALONE.get(task.name)
    if (!alone) return task
    return {
      ...task,
      handle: async (request: Request, call: CallContext) => {
        const owner = await testOwner(ports, request, call)
        const handle = owner === undefined ? undefined : await alone(task, owner, ports)
        return handle ? handle(request, call) : task.handle(request, call)
      },
    }
  })
}

/** The owner of the test account that the request names; undefined if it names none, or an existing account. */
async function testOwner(
  { transact, accounts }: TestAccountPorts,
  { account }: Request,
  { principal }: CallContext,
): Promise<string | undefined> {
  const account_id = typeof account === 'string' ? account : account?.account_id
  if (!principal || account_id === undefined) return undefined
  const owner = principal.principal_id
  const found = await transact((tx) => accounts.byId(tx, owner, account_id))
  return found ? undefined : owner
}

type Handle = (request: Request, call: CallContext) => ReturnType<AnyTask['handle']>
type Alone = (task: AnyTask, owner: string, ports: TestAccountPorts) => Promise<Handle | undefined>

const ALONE: ReadonlyMap<string, Alone> = new Map<string, Alone>([
  [
    'list_creative_formats',
    async (_task, owner, { formatsOf, listFormats }) => {
      const own = formatsOf(owner)
      return own && ((request, call) => listFormats(own).handle(request, call))
    },
  ],
  [
    'list_creatives',
    async (task, owner, ports) => {
      const ids = await seededIds(ports, owner, 'seed_creative')
      if (ids.length === 0) return undefined
      return (request, call) => {
        const wanted = request.filters?.creative_ids
        const creative_ids = wanted ? wanted.filter((id) => ids.includes(id)) : ids
        return task.handle({ ...request, filters: { ...request.filters, creative_ids } }, call)
      }
    },
  ],
])
