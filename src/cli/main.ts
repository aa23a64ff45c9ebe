#!/usr/bin/env node
// The `adwire` command.

import { Command } from 'commander'
import { VERSION } from '../app/version.ts'
import { deliveriesCommand } from './deliveries.ts'
import { inboxCommand } from './inbox.ts'
import { keysCommand } from './keys.ts'
import { lookupCommand } from './lookup.ts'
import { migrateCommand } from './migrate.ts'
import { orgsCommand } from './orgs.ts'
import { principalsCommand } from './principals.ts'
import { receiveCommand } from './receive.ts'
import { refsCommand } from './refs.ts'
import { serveCommand } from './serve.ts'
import { signalsCommand } from './signals.ts'
import { fail } from './terminal.ts'
import { webhookCommand } from './webhook.ts'

const program = new Command('adwire')
  .description('The server that advertising-automation agents run on.')
  .version(VERSION)
  .showHelpAfterError('(add --help for the options)')

for (const command of [
  serveCommand(),
  receiveCommand(),
  migrateCommand(),
  lookupCommand(),
  refsCommand(),
  signalsCommand(),
  principalsCommand(),
  orgsCommand(),
  keysCommand(),
  deliveriesCommand(),
  inboxCommand(),
  webhookCommand(),
]) {
  program.addCommand(command)
}

// Whoever reads the output may have read enough, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  fail(error)
})

program.parseAsync().catch(fail)
