// `adwire serve`: one process with everything in it.

import { Command } from 'commander'
import { serve } from '../app/main.ts'
import { ALL_SETTINGS, addSettings, configFrom } from './settings-options.ts'

export function serveCommand(): Command {
  return addSettings(new Command('serve'), ALL_SETTINGS)
    .description('Run the server. Every setting is also an environment variable.')
    .action((options: Record<string, unknown>) => serve(configFrom(options)))
}
