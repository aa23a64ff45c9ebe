// `adwire principals`: who may call tasks.

import { Command, Option } from 'commander'
import {
  createPrincipal,
  listPrincipals,
  principalKeys,
  renamePrincipal,
  revokePrincipal,
  SCOPES,
} from '../agent/principals.ts'
import { defined } from '../lib/defined.ts'
import { grantAccounts, parseGrant, revokeAccount } from '../signals/accounts.ts'
import type { AccountGrant } from '../signals/activation-store.ts'
import { apiKeysCommand, lastUseOf } from './api-keys.ts'
import { type DeleteFlags, deleteCommand, idOf, printDeleted } from './delete-owner.ts'
import { repeatable } from './repeatable.ts'
import { REQUEST_KEYS } from './request-keys.ts'
import { storageCommand, withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

export function principalsCommand(): Command {
  return new Command('principals')
    .description('Manage the principals that may call tasks, and their keys.')
    .addCommand(create())
    .addCommand(list())
    .addCommand(rename())
    .addCommand(revoke())
    .addCommand(remove())
    .addCommand(grant())
    .addCommand(revokeAccountCommand())
    .addCommand(
      apiKeysCommand({
        id: 'principal_id',
        owner: 'a principal',
        keys: principalKeys,
        more: REQUEST_KEYS,
      }),
    )
}

interface CreateFlags {
  scopes: string
  account?: string[]
  sandbox?: boolean
  key?: string
  json?: boolean
}

function create(): Command {
  return storageCommand('create')
    .description('Create a principal. Its key is printed once and stored only as a hash.')
    .argument('<name>')
    .option('--scopes <a,b>', `what the principal may do: ${SCOPES.join(', ')}`, 'tasks')
    .option(
      '--account <platform:account>',
      'platform account that it may use; repeatable',
      repeatable,
    )
    .option('--sandbox', 'create it for a server started with --sandbox; it is valid only there')
    .addOption(
      new Option('--key <key>', 'sandbox only: use this key instead of a generated one').implies({
        sandbox: true,
      }),
    )
    .option('--json', 'print {"principal_id", "key"}')
    .action((name: string, options: CreateFlags) =>
      withStorage({ ...options }, async (storage) => {
        const { key, sandbox: isSandbox = false } = options
        const scopes = options.scopes.split(',').map((scope) => scope.trim())
        const accounts = (options.account ?? []).map(accountOf)
        const created = await createPrincipal(storage, {
          name,
          scopes,
          isSandbox,
          ...defined({ key }),
        })
        if (!created.ok) throw new UsageError(created.message)
        const { principal_id } = created.principal
        await grantAccounts(storage, principal_id, accounts)
        if (options.json) return printJson({ principal_id, key: created.key })
        print(`principal: ${principal_id}`)
        print(`key:       ${created.key}`)
        print('Save the key: it cannot be displayed again.')
      }),
    )
}

function list(): Command {
  return storageCommand('list')
    .description('List the principals.')
    .option('--json', 'print a JSON array')
    .action((options: { json?: boolean }) =>
      withStorage({ ...options }, async (storage) => {
        const principals = []
        for (const one of await listPrincipals(storage)) {
          const owner = { kind: 'principal', owner_id: one.principal_id }
          principals.push({ ...one, last_used_at: await lastUseOf(storage, owner) })
        }
        if (options.json) return printJson(principals)
        printTable(
          ['id', 'name', 'scopes', 'created', 'last used', 'revoked'],
          principals.map((one) => [
            one.principal_id,
            one.name,
            one.scopes.join(','),
            one.created_at,
            one.last_used_at ?? '-',
            one.revoked_at ?? '-',
          ]),
        )
      }),
    )
}

function rename(): Command {
  return storageCommand('rename')
    .description('Rename a principal. Its keys and data are kept.')
    .argument('<principal_id>')
    .argument('<name>')
    .action((id: string, name: string, options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        const renamed = await renamePrincipal(storage, id, name)
        if (!renamed.ok) throw new UsageError(renamed.message)
        print(`renamed ${id}`)
      }),
    )
}

function revoke(): Command {
  return storageCommand('revoke')
    .description('Revoke a principal and its keys, immediately and permanently.')
    .argument('<principal_id>')
    .action((id: string, options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        if (!(await revokePrincipal(storage, id))) {
          throw unknownPrincipal(id)
        }
        print(`revoked ${id}`)
      }),
    )
}

function remove(): Command {
  const about = 'Delete a principal with its keys and all its data.'
  return deleteCommand(about, 'principal_id').action((given: string, options: DeleteFlags) =>
    withStorage({ ...options }, async (storage) => {
      // Loaded only here: the other commands start faster without it.
      const { deletePrincipal, IN_USE } = await import('../agent/delete-principal.ts')
      const known = (await listPrincipals(storage)).map(({ principal_id, name }) => ({
        id: principal_id,
        name,
      }))
      const principal_id = idOf(known, given, { many: 'principals' })
      const isForced = options.force === true
      const deleted = await deletePrincipal(storage, principal_id, { isForced })
      if (deleted.status === 'unknown') throw unknownPrincipal(given)
      printDeleted({ ...deleted, id: { principal_id }, inUse: IN_USE }, options)
    }),
  )
}

function grant(): Command {
  return storageCommand('grant')
    .description(
      'Allow a principal to use accounts of a platform. It can then use no other accounts there.',
    )
    .argument('<principal_id>')
    .argument('<platform:account...>')
    .action((id: string, accounts: string[], options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        const granted = accounts.map(accountOf)
        const known = (await listPrincipals(storage)).some(
          ({ principal_id }) => principal_id === id,
        )
        if (!known) throw unknownPrincipal(id)
        await grantAccounts(storage, id, granted)
        for (const one of await storage.grants.of(id)) print(`${one.platform}:${one.account}`)
      }),
    )
}

function revokeAccountCommand(): Command {
  return storageCommand('revoke-account')
    .description('Remove an account from a principal.')
    .argument('<principal_id>')
    .argument('<platform:account>')
    .action((id: string, account: string, options: Record<string, unknown>) =>
      withStorage(options, async (storage) => {
        if (!(await revokeAccount(storage, id, accountOf(account)))) {
          throw new UsageError(`${id} was not granted ${account}`)
        }
        print(`revoked ${account} from ${id}`)
      }),
    )
}

function accountOf(text: string): AccountGrant {
  const parsed = parseGrant(text)
  if (!parsed.ok) throw new UsageError(parsed.message)
  return parsed.grant
}

function unknownPrincipal(id: string): UsageError {
  return new UsageError(`no principal ${id}: list the principals with adwire principals list`)
}
