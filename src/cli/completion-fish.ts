// The completion script for fish: one line for each word, on the condition that the commands before it were typed.

import {
  type CompletionFlag,
  type CompletionNode,
  flagsBeforeAgent,
  plainAbout,
} from './completion-tree.ts'

export function fishScript(nodes: readonly CompletionNode[]): string {
  const paths = nodes.map(({ path }) => path).filter((path) => path !== '')
  return `# fish completion for adwire
# Whether these commands were typed; with a number, and no more arguments behind them.
function __adwire_at
  set -l at
  set -l arguments 0
  set -l isvalue no
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    if test $isvalue = yes
      set isvalue no
    else if contains -- $next ${listed(paths)}
      set at $next
      set arguments 0
    else if contains -- $next ${listed(flagsBeforeAgent(nodes))}
      set isvalue yes
    else if not string match -q -- '-*' $word
      set arguments (math $arguments + 1)
    end
  end
  test "$at" = "$argv[1]"; and begin
    not set -q argv[2]; or test $arguments -le $argv[2]
  end
end

${nodes.flatMap(linesOf).join('\n')}
`
}

function listed(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ')
}

function linesOf({ path, commands, choices, flags, takesAgent }: CompletionNode): string[] {
  const start = `complete -c adwire -n '__adwire_at "${path}"'`
  const first = `complete -c adwire -n '__adwire_at "${path}" 0'`
  return [
    ...commands.map(({ name, about }) => `${start} -f -a '${name}' -d '${plainAbout(about)}'`),
    ...choices.map((name) => `${start} -f -a '${name}'`),
    ...(takesAgent ? [`${first} -f -a '(adwire agents list --names 2>/dev/null)'`] : []),
    ...flags.map((flag) => `${start} ${flagWords(flag)} -d '${plainAbout(flag.about)}'`),
  ]
}

function flagWords({ name, takesValue, choices }: CompletionFlag): string {
  const long = `-l ${name.slice(2)}`
  if (choices.length > 0) return `${long} -x -a '${choices.join(' ')}'`
  return takesValue ? `${long} -r` : long
}
