// `adwire orgs`: organisations that contribute to the registry.

import { Command } from 'commander'
import {
  createOrganization,
  organizationKeys,
  renameOrganization,
} from '../registry/organizations.ts'
import { apiKeysCommand, lastUseOf } from './api-keys.ts'
import { type DeleteFlags, deleteCommand, idOf, printDeleted } from './delete-owner.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function orgsCommand(): Command {
  return new Command('orgs')
    .description('Manage the organisations that contribute to the registry, and their keys.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(rename())
    .addCommand(remove())
    .addCommand(
      apiKeysCommand({ id: 'organization_id', owner: 'an organisation', keys: organizationKeys }),
    )
}

function create(): Command {
  return storageCommand('create')
    .description('Create an organisation. Its key is printed once and stored only as a hash.')
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
        print('Save the key: it cannot be displayed again.')
      }),
    )
}

function list(): Command {
  return storageCommand('list')
    .description('List the organisations.')
    .option('--json', 'print a JSON array')
    .action((options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const organizations = []
        for (const one of await storage.organizations.list()) {
          const owner = { kind: 'organization', owner_id: one.organization_id }
          organizations.push({ ...one, last_used_at: await lastUseOf(storage, owner) })
        }
        if (options.json) return printJson(organizations)
        printTable(
          ['id', 'name', 'type', 'last used'],
          organizations.map((one) => [
            one.organization_id,
            one.name,
            one.company_type ?? '-',
            one.last_used_at ?? '-',
          ]),
        )
      }),
    )
}

function rename(): Command {
  return storageCommand('rename')
    .description('Rename an organisation.')
    .argument('<organization_id>')
    .argument('<name>')
    .action((id: string, name: string, options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        const renamed = await renameOrganization(storage, id, name)
        if (!renamed.ok) throw new UsageError(renamed.error)
        print(`renamed ${id}`)
      }),
    )
}

/** What prevents the deletion, in more detail. */
const REPORTED = ['valid_references']

function remove(): Command {
  const about = 'Delete an organisation with its keys, members, agents and references.'
  return deleteCommand(about, 'organization_id').action((given: string, options: DeleteFlags) =>
    withStorage({ ...options }, async (storage) => {
      const { deleteOrganization, IN_USE } = await import('../registry/delete-organization.ts')
      const known = (await storage.organizations.list()).map(({ organization_id, name }) => ({
        id: organization_id,
        name,
      }))
      const organization_id = idOf(known, given, { many: 'organisations' })
      const isForced = options.force === true
      const deleted = await deleteOrganization(storage, organization_id, { isForced })
      if (deleted.status === 'unknown') {
        throw new UsageError(
          `no organisation ${given}: list the organisations with adwire orgs list`,
        )
      }
      printDeleted(
        { ...deleted, id: { organization_id }, inUse: [...IN_USE, ...REPORTED] },
        options,
      )
    }),
  )
}
