// The commands, in the groups that --help lists. Each one is loaded when it is called, because loading all of them
// takes longer than running most of them.

import type { Command } from 'commander'
import { VERSION } from '../app/version.ts'

interface Entry {
  about: string
  load(): Promise<Command>
}

type Group = Readonly<Record<string, Entry>>

export const GROUPS: Readonly<Record<string, Group>> = {
  'Servers:': {
    serve: {
      about: 'Run the server. Every setting is also an environment variable.',
      load: async () => (await import('./serve.ts')).serveCommand(),
    },
    receive: {
      about: 'Receive webhooks: verify, store, acknowledge, and hand each on once, in order.',
      load: async () => (await import('./receive.ts')).receiveCommand(),
    },
    mcp: {
      about: 'Serve the agent-calling tool to an assistant, as MCP on standard input and output.',
      load: async () => (await import('./mcp.ts')).mcpCommand(),
    },
    sandbox: {
      about: 'What public graders find in a server started with --sandbox.',
      load: async () => (await import('./sandbox.ts')).sandboxCommand(),
    },
    database: {
      about: 'Check the SQLite file for damage, and repair its indexes.',
      load: async () => (await import('./database.ts')).databaseCommand(),
    },
    backup: {
      about:
        'Write a backup of all data to a file, beside running servers. PostgreSQL is dumped by pg_dump.',
      load: async () => (await import('./backup.ts')).backupCommand(),
    },
    restore: {
      about:
        'Restore a backup into an empty data folder or database. All servers on it must be stopped.',
      load: async () => (await import('./backup.ts')).restoreCommand(),
    },
    move: {
      about: 'Move all data from a SQLite data folder into an empty PostgreSQL, or back.',
      load: async () => (await import('./move.ts')).moveCommand(),
    },
    migrate: {
      about: 'Bring the database up to date. `serve` does the same when it starts.',
      load: async () => (await import('./migrate.ts')).migrateCommand(),
    },
  },
  'Calling agents:': {
    call: {
      about: 'Call a task of an agent, or list its tasks.',
      load: async () => (await import('./call.ts')).callCommand(),
    },
    agents: {
      about: 'Manage saved agents and their keys for adwire call.',
      load: async () => (await import('./agents.ts')).agentsCommand(),
    },
    doctor: {
      about: 'Examine an agent or a webhook receiver: what is wrong, why it matters, what to do.',
      load: async () => (await import('./doctor.ts')).doctorCommand(),
    },
  },
  'Callers and keys:': {
    principals: {
      about: 'Principals: who may call tasks, and with what key.',
      load: async () => (await import('./principals.ts')).principalsCommand(),
    },
    orgs: {
      about: 'Organisations: who contributes to the registry, and with what key.',
      load: async () => (await import('./orgs.ts')).orgsCommand(),
    },
    keys: {
      about: 'Keys that webhooks and requests of this operator are signed with.',
      load: async () => (await import('./keys.ts')).keysCommand(),
    },
    audit: {
      about: 'The audit log of the console, refused sign-ins included.',
      load: async () => (await import('./audit.ts')).auditCommand(),
    },
  },
  'Registry and catalogue:': {
    lookup: {
      about: 'Look up the best manifest reference for a domain. Exits with 1 when there is none.',
      load: async () => (await import('./lookup.ts')).lookupCommand(),
    },
    validate: {
      about:
        'Check an adagents.json, brand.json or ads.txt: every fault with its line, and what it would authorize.',
      load: async () => (await import('./validate.ts')).validateCommand(),
    },
    adagents: {
      about: 'Make an adagents.json.',
      load: async () => (await import('./adagents.ts')).adagentsCommand(),
    },
    refs: {
      about: 'Manifest references.',
      load: async () => (await import('./refs.ts')).refsCommand(),
    },
    registry: {
      about: 'Follow another registry, and compare with it.',
      load: async () => (await import('./registry.ts')).registryCommand(),
    },
    signals: {
      about: 'The catalogue of signals.',
      load: async () => (await import('./signals.ts')).signalsCommand(),
    },
    products: {
      about: 'Products: what can be bought.',
      load: async () => (await import('./products.ts')).productsCommand(),
    },
  },
  'Media buys:': {
    approvals: {
      about: 'Media buys that wait for approval.',
      load: async () => (await import('./approvals.ts')).approvalsCommand(),
    },
    impairments: {
      about: 'What impairs media buys: raise, clear and list it.',
      load: async () => (await import('./impairments.ts')).impairmentsCommand(),
    },
    feedback: {
      about: 'How media buys perform, as their buyers measured it.',
      load: async () => (await import('./feedback.ts')).feedbackCommand(),
    },
    usage: {
      about: 'What principals reported as used, and what they owe for it.',
      load: async () => (await import('./feedback.ts')).usageCommand(),
    },
  },
  'Webhooks:': {
    deliveries: {
      about: 'Webhooks on their way and what became of them.',
      load: async () => (await import('./deliveries.ts')).deliveriesCommand(),
    },
    reports: {
      about: 'Delivery reports to buyers and their status.',
      load: async () => (await import('./reports.ts')).reportsCommand(),
    },
    inbox: {
      about: 'Webhooks that adwire receive was sent, and its dead letters.',
      load: async () => (await import('./inbox.ts')).inboxCommand(),
    },
    webhook: {
      about:
        'Verify or sign a webhook from files, send a test webhook, or send one that belongs to no task.',
      load: async () => (await import('./webhook.ts')).webhookCommand(),
    },
  },
  'Shell:': {
    completion: {
      about: 'Print the script by which a shell completes what is typed.',
      load: async () => (await import('./completion.ts')).completionCommand(loadAll),
    },
  },
}

/** Every command, with all it has. */
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

/** With the command that is called fully loaded; of the others, only what --help prints. */
async function programFor(words: readonly string[]): Promise<Command> {
  const { Command } = await import('commander')
  const program = new Command('adwire')
    .description('The server that advertising-automation agents run on.')
    .version(VERSION)
    // Options after a command belong to that command: a request of `adwire call` may have a member `version`.
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: false })
  const [first, second] = words.filter((word) => !word.startsWith('-'))
  const called = first === 'help' ? second : first
  for (const [heading, group] of Object.entries(GROUPS)) {
    for (const [name, { about, load }] of Object.entries(group)) {
      const command = name === called ? await load() : new Command(name).description(about)
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
