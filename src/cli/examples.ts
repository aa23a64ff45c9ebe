// The examples at the end of each command's --help, by the words of the command. A group of commands lists the first
// example of each of its commands. test/docs/commands.test.ts checks their names and flags.

import type { Command } from 'commander'

const DATABASE = 'postgres://adwire@db.example/adwire'

/** @internal */
export const EXAMPLES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    serve: [
      'adwire serve --demo',
      'adwire serve --public-url https://ads.example --host 0.0.0.0',
      `adwire serve --database-url ${DATABASE} --public-url https://ads.example`,
    ],
    receive: [
      'adwire receive --trust https://seller.example --out messages.jsonl',
      'adwire receive --trust https://seller.example --forward http://127.0.0.1:3000/webhooks',
    ],
    mcp: ['adwire mcp', 'adwire mcp --agent https://agent.example --auth @agent.key'],
    'sandbox load': ['adwire sandbox load ./fixtures --create'],
    'database check': ['adwire database check --data .adwire'],
    'database repair': ['adwire database repair --data .adwire'],
    backup: [
      'adwire backup adwire.backup',
      `adwire backup adwire.backup --database-url ${DATABASE}`,
    ],
    restore: [
      'adwire restore adwire.backup --data .adwire-restored',
      'adwire restore adwire.backup --replace',
    ],
    move: ['adwire move --to postgres://adwire@db.example/adwire --data .adwire'],
    migrate: ['adwire migrate', `adwire migrate --database-url ${DATABASE}`],
    'agents add': [
      'adwire agents add acme https://agent.example --auth -',
      'adwire agents add acme https://agent.example --sign-key request-key.json --replace',
    ],
    'agents list': ['adwire agents list'],
    'agents remove': ['adwire agents remove acme'],
    doctor: [
      'adwire doctor https://ads.example --auth @agent.key',
      'adwire doctor --receiver https://buyer.example/hooks/acme --hmac @secret.txt',
    ],
    'principals create': [
      'adwire principals create "Acme Media" --create',
      'adwire principals create "Night shift" --scopes operator',
    ],
    'principals list': ['adwire principals list'],
    'principals rename': ['adwire principals rename pr_1 "Acme Media Berlin"'],
    'principals revoke': ['adwire principals revoke pr_1'],
    'principals delete': ['adwire principals delete "Acme Media" --force'],
    'principals grant': ['adwire principals grant pr_1 dv360:acme-1 dv360:acme-2'],
    'principals revoke-account': ['adwire principals revoke-account pr_1 dv360:acme-1'],
    'principals keys list': ['adwire principals keys list pr_1'],
    'principals keys add': [
      'adwire principals keys add pr_1 --expires 90d',
      'adwire principals keys add pr_1 --jwks-url https://buyer.example/.well-known/jwks.json',
    ],
    'principals keys rotate': ['adwire principals keys rotate pr_1 --overlap 7d'],
    'principals keys revoke': ['adwire principals keys revoke key_1'],
    'principals keys remove': ['adwire principals keys remove key_1'],
    'orgs create': ['adwire orgs create "Acme Media"'],
    'orgs list': ['adwire orgs list'],
    'orgs rename': ['adwire orgs rename org_1 "Acme Media Group"'],
    'orgs delete': ['adwire orgs delete "Acme Media"'],
    'orgs keys list': ['adwire orgs keys list org_1'],
    'orgs keys add': ['adwire orgs keys add org_1 --expires 90d'],
    'orgs keys rotate': ['adwire orgs keys rotate org_1 --overlap 7d'],
    'orgs keys revoke': ['adwire orgs keys revoke key_1'],
    'keys list': ['adwire keys list'],
    'keys generate': ['adwire keys generate', 'adwire keys generate --purpose request-signing'],
    'keys rotate': ['adwire keys rotate', 'adwire keys rotate --now'],
    'keys revoke': ['adwire keys revoke key-2026-01'],
    'keys export': ['adwire keys export key-2026-01'],
    'audit list': [
      'adwire audit list --outcome refused',
      'adwire audit list --action session.sign_in --limit 200',
    ],
    lookup: ['adwire lookup acme.example', 'adwire lookup publisher.example --type adagents.json'],
    validate: ['adwire validate adagents.json', 'adwire validate https://publisher.example'],
    'adagents create': [
      'adwire adagents create --domain publisher.example --agent https://ads.example --out adagents.json',
    ],
    'refs import': ['adwire refs import references.jsonl --org org_1 --dry-run'],
    'refs proof': ['adwire refs proof ref_1'],
    'registry mirror': [
      'adwire registry mirror https://registry.example.com',
      'adwire registry mirror https://registry.example.com --check',
    ],
    'registry mirrors': ['adwire registry mirrors'],
    'registry export': [
      'adwire registry export https://registry.example.com --kind authorization > authorizations.jsonl',
    ],
    'registry forget': ['adwire registry forget https://registry.example.com'],
    'signals import': [
      'adwire signals import signals.csv --dry-run',
      'adwire signals import signals.jsonl --replace',
    ],
    'signals export': ['adwire signals export --out signals.jsonl'],
    'signals list': ['adwire signals list --limit 100'],
    'signals show': ['adwire signals show auto_intenders'],
    'signals delete': ['adwire signals delete auto_intenders luxury_travel'],
    'signals stats': ['adwire signals stats'],
    'products import': ['adwire products import products.jsonl --dry-run'],
    'products list': ['adwire products list --limit 100'],
    'products show': ['adwire products show homepage_takeover'],
    'products delete': ['adwire products delete homepage_takeover'],
    'approvals list': ['adwire approvals list', 'adwire approvals list --state rejected'],
    'approvals ask': ['adwire approvals ask task_1 "Which cost centre pays for this?"'],
    'approvals approve': ['adwire approvals approve task_1'],
    'approvals reject': ['adwire approvals reject task_1 --note "The brand is not approved."'],
    'impairments raise': [
      'adwire impairments raise mb_1 --resource-type creative --resource-id cr_1 --to rejected --reason-code content_rejected',
    ],
    'impairments clear': ['adwire impairments clear imp_1'],
    'impairments list': ['adwire impairments list --media-buy mb_1 --all'],
    'impairments resend': ['adwire impairments resend mb_1 notification_1'],
    'feedback list': ['adwire feedback list --media-buy mb_1'],
    'usage list': ['adwire usage list --principal pr_1'],
    'deliveries list': [
      'adwire deliveries list --status exhausted --since 24h',
      'adwire deliveries list --endpoint https://buyer.example/webhooks',
    ],
    'deliveries show': ['adwire deliveries show 430'],
    'deliveries retry': ['adwire deliveries retry 430 431'],
    'deliveries cancel': ['adwire deliveries cancel 430'],
    'deliveries recover': [
      'adwire deliveries recover --endpoint https://buyer.example/webhooks --since 2h --count',
      'adwire deliveries recover --endpoint https://buyer.example/webhooks --since 2h',
    ],
    'reports list': ['adwire reports list', 'adwire reports list --buy mb_1 --all'],
    'reports check-source': [
      'adwire reports check-source https://adserver.example/delivery --buy mb_1 --package pkg_1=5000',
    ],
    'inbox list': ['adwire inbox list --state dead', 'adwire inbox list --task task_1'],
    'inbox show': ['adwire inbox show 12'],
    'inbox retry': ['adwire inbox retry 12', 'adwire inbox retry --all --since 2h'],
    'inbox drop': ['adwire inbox drop 12'],
    'webhook verify': ['adwire webhook verify --request request.json --jwks jwks.json'],
    'webhook sign': ['adwire webhook sign --request request.json --key private-key.json'],
    'webhook send': [
      'adwire webhook send --to https://buyer.example/webhooks',
      'adwire webhook send --to http://127.0.0.1:8421/hooks/acme --serve-keys 8499 --allow-private --repeat 1',
    ],
    'webhook emit': ['adwire webhook emit artifact --body @artifact.json --principal pr_1'],
    'webhook subscribe': [
      'adwire webhook subscribe artifact --principal pr_1 --config @channel.json',
    ],
    'webhook unsubscribe': ['adwire webhook unsubscribe artifact --principal pr_1'],
  }),
)

/** Adds them to a command and its subcommands, except where a command has an explanation of its own. */
export function addExamples(command: Command, path: string = command.name()): void {
  for (const below of command.commands) addExamples(below, `${path} ${below.name()}`)
  const lines = examplesOf(command, path)
  if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

function examplesOf(command: Command, path: string): string[] {
  const own = EXAMPLES.get(path) ?? command.commands.flatMap((below) => firstOf(below, path))
  return own.map((line) => `  ${line}`)
}

function firstOf(below: Command, path: string): string[] {
  return EXAMPLES.get(`${path} ${below.name()}`)?.slice(0, 1) ?? []
}
