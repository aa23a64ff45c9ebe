// `adwire serve`: one process that contains everything.

import { Command } from 'commander'
import { ALL_SETTINGS, addSettings, configFrom } from './settings-options.ts'

export function serveCommand(): Command {
  return addSettings(new Command('serve'), ALL_SETTINGS)
    .description('Run the server. Every setting is also an environment variable.')
    .action(async (options: Record<string, unknown>) => {
      const config = configFrom(options)
      // Loaded only here: the other commands start several times faster without it.
      const { serve } = await import('../app/main.ts')
      await serve(config)
    })
}
