// The completion script for fish: one line for each word, under the condition that the commands before it were typed.

import { type CompletionFlag, type CompletionNode, plainAbout } from './completion-tree.ts'

export function fishScript(nodes: readonly CompletionNode[]): string {
  const paths = nodes.map(({ path }) => path).filter((path) => path !== '')
  return `# fish completion for adwire
function __adwire_at
  set -l at
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$at $word")
    if contains -- $next ${paths.map((path) => `'${path}'`).join(' ')}
      set at $next
    end
  end
  test "$at" = "$argv[1]"
end

${nodes.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, commands, choices, flags, takesAgent }: CompletionNode): string[] {
  const start = `complete -c adwire -n '__adwire_at "${path}"'`
  return [
    ...commands.map(({ name, about }) => `${start} -f -a '${name}' -d '${plainAbout(about)}'`),
    ...choices.map((name) => `${start} -f -a '${name}'`),
    ...(takesAgent ? [`${start} -f -a '(adwire agents list --names 2>/dev/null)'`] : []),
    ...flags.map((flag) => `${start} ${flagWords(flag)} -d '${plainAbout(flag.about)}'`),
  ]
}

function flagWords({ name, takesValue, choices }: CompletionFlag): string {
  const long = `-l ${name.slice(2)}`
  if (choices.length > 0) return `${long} -x -a '${choices.join(' ')}'`
  return takesValue ? `${long} -r` : long
}
