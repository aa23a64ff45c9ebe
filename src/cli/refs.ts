// `adwire refs`: bulk loading of manifest references from a file of JSON lines, and how to prove that they are valid.

import { createReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { domainChallenges } from '../app/domain-challenges.ts'
import type { Storage } from '../app/open-storage.ts'
import { defined } from '../lib/defined.ts'
import { importReferences } from '../registry/import-references.ts'
import { createOrganization, isOperatorMade } from '../registry/organizations.ts'
import { proofOf } from '../registry/reference-proof.ts'
import type { NewReference } from '../registry/store.ts'
import { DRY_RUN, storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, progressBar, UsageError } from './terminal.ts'

interface ImportFlags {
  org?: string
  dryRun?: boolean
  json?: boolean
}

/** The organisation that the operator's imports are credited to, unless --org names another. */
const OPERATOR = 'Operator imports'
/** In place of a file. */
const STDIN = '-'
/** The number of bad lines printed; the rest are only counted. */
const MAX_SHOWN = 20

export function refsCommand(): Command {
  const importing = storageCommand('import')
    .description(
      'Import references, one JSON object per line. Safe to repeat: existing ones are kept.',
    )
    .argument('<file>', 'JSON lines: {"domain", "manifest_type", …}; - reads standard input')
    .option('--org <id>', 'organisation that contributes them')
    .option(...DRY_RUN)
    .option('--json', 'print the totals as JSON')
    .action((file: string, options: ImportFlags) => importFile(file, options))
  const proving = storageCommand('proof')
    .description(
      'Print what to publish to prove that the contributor of a reference controls the domain.',
    )
    .argument('<id>', 'id of the reference')
    .option('--json', 'print it as JSON')
    .action((id: string, options: { json?: boolean }) => showProof(id, options))
  return new Command('refs')
    .description('Manifest references.')
    .addCommand(importing)
    .addCommand(proving)
}

async function showProof(id: string, options: { json?: boolean }): Promise<void> {
  await withStorage({ ...options }, async (storage) => {
    const reference = await storage.references.get(id)
    if (!reference) throw new UsageError(`no reference ${id}: GET /api/manifest-refs lists them`)
    await storage.transact((tx) => storage.references.askProof(tx, id))
    const proof = proofOf(reference, await domainChallenges(storage))
    if (options.json) return printJson(proof)
    for (const { dns_txt, file } of [proof, ...(proof.parent ? [proof.parent] : [])]) {
      if (dns_txt) print(`TXT ${dns_txt.name} "${dns_txt.value}"`)
      print(`or  ${file.url} with the line ${file.value}`)
    }
  })
}

async function importFile(file: string, options: ImportFlags): Promise<void> {
  const bytes = sizeOf(file)
  await withStorage({ ...options }, async (storage, config) => {
    const { createEgress } = await import('../lib/safe-fetch/safe-fetch.ts')
    const organizationId = await contributorOf(storage, options)
    const egress = createEgress({ allow: config.egressAllow, allowHttp: config.egressAllowHttp })
    const stream = file === STDIN ? process.stdin : createReadStream(file)
    const bar = progressBar(bytes, 'bytes')
    // A user who requests a dry run wants to see everything.
    const most = options.dryRun ? Number.POSITIVE_INFINITY : MAX_SHOWN
    let returned = 0
    const totals = await importReferences(
      { ...storage, checkUrl: egress.checkUrl },
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }),
      {
        contributor: { organizationId, actor: `org:${organizationId}` },
        onBadLine: (line, error) => {
          if (returned++ < most) process.stderr.write(`line ${line}: ${error}\n`)
        },
        ...defined({
          onlyReport: options.dryRun ? (options.json ? () => {} : reportAdded) : undefined,
        }),
        onProgress: () => bar.update('bytesRead' in stream ? Number(stream.bytesRead) : 0),
      },
    )
    bar.stop()
    await egress.close()
    if (totals.bad > most) process.stderr.write(`… and ${totals.bad - most} more bad lines\n`)
    if (totals.bad > 0) process.exitCode = 1
    if (options.json) return printJson(options.dryRun ? { dry_run: true, ...totals } : totals)
    const { added, known, bad, lines } = totals
    const said = options.dryRun ? 'dry run: ' : ''
    print(`${said}${added} added, ${known} known, ${bad} bad of ${lines} lines`)
  })
}

function sizeOf(file: string): number {
  if (file === STDIN) return 0
  try {
    const found = statSync(file)
    if (!found.isDirectory()) return found.size
  } catch {}
  throw new UsageError(`cannot read ${file}: give the path of a file of JSON lines`)
}

/** What a line would add, in a line. */
function reportAdded(line: number, reference: NewReference): void {
  const { domain, manifest_type, manifest_url, agent_url, agent_id } = reference
  const target = manifest_url ?? `${agent_id} at ${agent_url}`
  print(`line ${line}: ${domain} ${manifest_type} added: ${target}`)
}

/** A dry run for an organisation that does not exist yet: nothing is known about it. */
const NOBODY = ''

async function contributorOf(
  storage: Storage,
  { org: id, dryRun }: Pick<ImportFlags, 'org' | 'dryRun'>,
): Promise<string> {
  if (id !== undefined) {
    if (await storage.organizations.get(id)) return id
    throw new UsageError(`no organisation ${id}: create one with adwire orgs create NAME`)
  }
  const known = (await storage.organizations.list()).find(
    (one) => one.name === OPERATOR && isOperatorMade(one),
  )
  if (known) return known.organization_id
  if (dryRun) return NOBODY
  const created = await createOrganization(storage, { name: OPERATOR })
  if (!created.ok) throw new Error(created.error)
  return created.organization.organization_id
}
