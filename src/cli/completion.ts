// `adwire completion bash|zsh|fish`: prints the script that lets a shell complete commands, flags and their choices,
// generated from the commands themselves; saved agents are read at completion time.

import { Argument, Command } from 'commander'
import { bashScript } from './completion-bash.ts'
import { fishScript } from './completion-fish.ts'
import { completionTree } from './completion-tree.ts'
import { zshScript } from './completion-zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
type Shell = keyof typeof SCRIPTS

const HELP = `
Install it for new shells:
  bash  adwire completion bash > ~/.local/share/bash-completion/completions/adwire
  zsh   adwire completion zsh > "\${fpath[1]}/_adwire"
  fish  adwire completion fish > ~/.config/fish/completions/adwire.fish`

/** `loadAll` returns every command, fully loaded. */
export function completionCommand(loadAll: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('Print a completion script for your shell.')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](completionTree(await loadAll())))
    })
}
