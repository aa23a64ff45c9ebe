// `adwire principals`: who may call tasks.

import { Command } from 'commander'
import { createPrincipal, listPrincipals, revokePrincipal, SCOPES } from '../agent/principals.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function principalsCommand(): Command {
  return new Command('principals')
    .description('Principals: who may call tasks, and with what key.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(revoke())
}

function create(): Command {
  return storageCommand('create')
    .description('Make a principal. Its key is printed once and stored only as a hash.')
    .argument('<name>')
    .option('--scopes <a,b>', `what it may do: ${SCOPES.join(', ')}`, 'tasks')
    .option('--json', 'print {"principal_id", "key"}')
    .action((name: string, options: { scopes: string; json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const scopes = options.scopes.split(',').map((scope) => scope.trim())
        const created = await createPrincipal(storage, { name, scopes })
        if (!created.ok) throw new UsageError(created.message)
        const { principal_id } = created.principal
        if (options.json) return printJson({ principal_id, key: created.key })
        print(`principal: ${principal_id}`)
        print(`key:       ${created.key}`)
        print('Keep the key: it is not shown again.')
      }),
    )
}

function list(): Command {
  return storageCommand('list')
    .description('List the principals.')
    .option('--json', 'print a JSON array')
    .action((options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const principals = await listPrincipals(storage)
        if (options.json) return printJson(principals)
        printTable(
          ['id', 'name', 'scopes', 'created', 'revoked'],
          principals.map((one) => [
            one.principal_id,
            one.name,
            one.scopes.join(','),
            one.created_at,
            one.revoked_at ?? '-',
          ]),
        )
      }),
    )
}

function revoke(): Command {
  return storageCommand('revoke')
    .description('Revoke a principal and its keys, at once and for good.')
    .argument('<principal_id>')
    .action((id: string, options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        if (!(await revokePrincipal(storage, id))) {
          throw new UsageError(`there is no principal ${id}: adwire principals list shows them`)
        }
        print(`revoked ${id}`)
      }),
    )
}
