// `adwire orgs`: organisations that contribute to the registry.

import { Command } from 'commander'
import { createOrganization, organizationKeys } from '../registry/organizations.ts'
import { apiKeysCommand } from './api-keys.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function orgsCommand(): Command {
  return new Command('orgs')
    .description('Organisations: who contributes to the registry, and with what key.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(
      apiKeysCommand({ id: 'organization_id', owner: 'an organisation', keys: organizationKeys }),
    )
}

function create(): Command {
  return storageCommand('create')
    .description('Make an organisation. Its key is printed once and stored only as a hash.')
    .argument('<name>')
    .option('--json', 'print {"organization_id", "key"}')
    .action((name: string, options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const created = await createOrganization(storage, { name })
        if (!created.ok) throw new UsageError(created.error)
        const { organization_id } = created.organization
        if (options.json) return printJson({ organization_id, key: created.key })
        print(`organization: ${organization_id}`)
        print(`key:          ${created.key}`)
        print('Keep the key: it is not shown again.')
      }),
    )
}

function list(): Command {
  return storageCommand('list')
    .description('List the organisations.')
    .option('--json', 'print a JSON array')
    .action((options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const organizations = await storage.organizations.list()
        if (options.json) return printJson(organizations)
        printTable(
          ['id', 'name', 'type'],
          organizations.map((one) => [one.organization_id, one.name, one.company_type ?? '-']),
        )
      }),
    )
}
