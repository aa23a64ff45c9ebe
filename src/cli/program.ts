// The commands, in the groups that --help lists. Each one is loaded when it is called, because loading all of them
// takes longer than running most of them.

import type { Command } from 'commander'
import { VERSION } from '../app/version.ts'
import { addExamples } from './examples.ts'

interface Entry {
  about: string
  load(): Promise<Command>
}

type Group = Readonly<Record<string, Entry>>

export const GROUPS: Readonly<Record<string, Group>> = {
  'Servers:': {
    serve: {
      about: 'Run the server. Every option is also an environment variable.',
      load: async () => (await import('./serve.ts')).serveCommand(),
    },
    receive: {
      about: 'Receive webhooks: verify, store, acknowledge, and pass each one on once, in order.',
      load: async () => (await import('./receive.ts')).receiveCommand(),
    },
    mcp: {
      about:
        'Serve the agent-calling tool to an AI assistant, as MCP over standard input and output.',
      load: async () => (await import('./mcp.ts')).mcpCommand(),
    },
    sandbox: {
      about: 'Load test data into a server that was started with --sandbox.',
      load: async () => (await import('./sandbox.ts')).sandboxCommand(),
    },
    database: {
      about: 'Check the SQLite file for damage, and repair its indexes.',
      load: async () => (await import('./database.ts')).databaseCommand(),
    },
    backup: {
      about: 'Back up all data to a file while servers are running. PostgreSQL requires pg_dump.',
      load: async () => (await import('./backup.ts')).backupCommand(),
    },
    restore: {
      about: 'Restore a backup into an empty data folder or database. Stop all servers first.',
      load: async () => (await import('./backup.ts')).restoreCommand(),
    },
    move: {
      about: 'Move all data from a SQLite data folder into an empty PostgreSQL, or back.',
      load: async () => (await import('./move.ts')).moveCommand(),
    },
    migrate: {
      about: 'Upgrade the database schema. `serve` also does this when it starts.',
      load: async () => (await import('./migrate.ts')).migrateCommand(),
    },
  },
  'Calling agents:': {
    call: {
      about: 'Call a task of an agent, or list its tasks.',
      load: async () => (await import('./call.ts')).callCommand(),
    },
    agents: {
      about: 'Manage saved agents and their keys for `adwire call`.',
      load: async () => (await import('./agents.ts')).agentsCommand(),
    },
    doctor: {
      about:
        'Examine an agent or a webhook receiver: what is wrong, why it matters, and how to fix it.',
      load: async () => (await import('./doctor.ts')).doctorCommand(),
    },
  },
  'Callers and keys:': {
    principals: {
      about: 'Manage the principals that may call tasks, and their keys.',
      load: async () => (await import('./principals.ts')).principalsCommand(),
    },
    orgs: {
      about: 'Manage the organisations that contribute to the registry, and their keys.',
      load: async () => (await import('./orgs.ts')).orgsCommand(),
    },
    keys: {
      about: 'Manage the keys that sign this operator’s webhooks and requests.',
      load: async () => (await import('./keys.ts')).keysCommand(),
    },
    audit: {
      about: 'Read the audit log of the console, including refused sign-ins.',
      load: async () => (await import('./audit.ts')).auditCommand(),
    },
  },
  'Registry and catalogue:': {
    lookup: {
      about: 'Look up the best manifest reference for a domain. Exits with 1 if there is none.',
      load: async () => (await import('./lookup.ts')).lookupCommand(),
    },
    validate: {
      about:
        'Validate an adagents.json, brand.json or ads.txt: print each error with its line, and what it authorizes.',
      load: async () => (await import('./validate.ts')).validateCommand(),
    },
    adagents: {
      about: 'Create an adagents.json.',
      load: async () => (await import('./adagents.ts')).adagentsCommand(),
    },
    refs: {
      about: 'Manifest references.',
      load: async () => (await import('./refs.ts')).refsCommand(),
    },
    registry: {
      about: 'Mirror another registry, and compare with it.',
      load: async () => (await import('./registry.ts')).registryCommand(),
    },
    signals: {
      about: 'Import, export and list the signals of the catalogue.',
      load: async () => (await import('./signals.ts')).signalsCommand(),
    },
    products: {
      about: 'Manage the products that buyers can buy.',
      load: async () => (await import('./products.ts')).productsCommand(),
    },
  },
  'Media buys:': {
    approvals: {
      about: 'Approve, reject or question media buys that are waiting for approval.',
      load: async () => (await import('./approvals.ts')).approvalsCommand(),
    },
    impairments: {
      about: 'Raise, clear and list impairments of media buys.',
      load: async () => (await import('./impairments.ts')).impairmentsCommand(),
    },
    feedback: {
      about: 'Read the performance feedback that buyers sent.',
      load: async () => (await import('./feedback.ts')).feedbackCommand(),
    },
    usage: {
      about: 'Read the usage that principals reported, and the amounts due for it.',
      load: async () => (await import('./feedback.ts')).usageCommand(),
    },
  },
  'Webhooks:': {
    deliveries: {
      about: 'Inspect, retry and cancel outgoing webhooks.',
      load: async () => (await import('./deliveries.ts')).deliveriesCommand(),
    },
    reports: {
      about: 'Check the status of delivery reports to buyers, and test the delivery source.',
      load: async () => (await import('./reports.ts')).reportsCommand(),
    },
    inbox: {
      about: 'Inspect received webhooks; retry or drop dead letters.',
      load: async () => (await import('./inbox.ts')).inboxCommand(),
    },
    webhook: {
      about: 'Verify or sign a webhook, send a test webhook, or send one that belongs to no task.',
      load: async () => (await import('./webhook.ts')).webhookCommand(),
    },
  },
  'Shell:': {
    completion: {
      about: 'Print a completion script for your shell.',
      load: async () => (await import('./completion.ts')).completionCommand(loadAll),
    },
  },
}

const GET_STARTED = `
Get started:
  adwire serve --demo              run a server with sample data and a key to try
  adwire call --help               call an agent
  adwire help deliveries retry     show the options and examples of a command`

/** Every command with its options and subcommands. */
async function loadAll(): Promise<Command[]> {
  const entries = Object.values(GROUPS).flatMap((group) => Object.values(group))
  return Promise.all(entries.map(({ load }) => load()))
}

export async function run(argv: readonly string[]): Promise<void> {
  const words = argv.slice(2)
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  const { fail } = await import('./terminal.ts')
  // The reader of the output may stop early, as `| head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    fail(error)
  })
  try {
    const program = await programFor(words)
    const requested = words[0] === 'help' ? deepest(program, words.slice(1)) : undefined
    if (requested) requested.outputHelp()
    else await program.parseAsync([...argv])
  } catch (error) {
    fail(error)
  }
}

/** The called command is fully loaded; the others only have what --help prints. */
async function programFor(words: readonly string[]): Promise<Command> {
  const { Command } = await import('commander')
  const program = new Command('adwire')
    .description('A server for advertising agents.')
    .version(VERSION)
    // Options after a command belong to that command: a request of `adwire call` may have a member `version`.
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', GET_STARTED)
  const [first, second] = words.filter((word) => !word.startsWith('-'))
  const called = first === 'help' ? second : first
  for (const [heading, group] of Object.entries(GROUPS)) {
    for (const [name, { about, load }] of Object.entries(group)) {
      const command = name === called ? await load() : new Command(name).description(about)
      if (name === called) addExamples(command)
      program.addCommand(command.helpGroup(heading))
    }
  }
  endWithUsage(program)
  return program
}

/** The subcommand that these words lead to; undefined if they lead to none, which commander handles. */
function deepest(program: Command, words: readonly string[]): Command | undefined {
  if (words.length < 2) return undefined
  return words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((one) => one.name() === word),
    program,
  )
}

/**
 * Exits with code 2 for every usage error, from an unknown flag to a missing argument, and says where to find help.
 */
function endWithUsage(command: Command): void {
  command.showHelpAfterError('(add --help for the options)')
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  for (const one of command.commands) endWithUsage(one)
}
