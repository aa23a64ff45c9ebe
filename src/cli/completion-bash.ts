// The completion script for bash. It walks down the commands with the words already typed; then the word before the
// cursor determines whether a value is expected, and of what kind.

import { type CompletionNode, flagsBeforeAgent } from './completion-tree.ts'

export function bashScript(nodes: readonly CompletionNode[]): string {
  const below = nodes.filter(({ path }) => path !== '')
  const valued = flagsBeforeAgent(nodes).map(quoted).join(' | ')
  const skip = `((i += 1)); [[ \${COMP_WORDS[i]} == = ]] && ((i += 1))`
  return `# bash completion for adwire
_adwire() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='' arguments=0 word i
  # --flag=value comes as three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at $word" in
${below.map(({ path }) => `      ${quoted(stepTo(path))}) at=${quoted(path)}; arguments=0 ;;`).join('\n')}
${valued === '' ? '' : `      ${valued}) ${skip} ;;\n`}      *) [[ $word == -* ]] || ((arguments += 1)) ;;
    esac
  done
  case "$at $prev" in
${valueCases(nodes)}
  esac
  local words=''
  case "$at" in
${nodes.map(wordCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _adwire adwire
`
}

/** The path before its last word, and that word: in the form that the loop sees them. */
export function stepTo(path: string): string {
  const words = path.split(' ')
  return `${words.slice(0, -1).join(' ')} ${words.at(-1)}`
}

function valueCases(nodes: readonly CompletionNode[]): string {
  const lines: string[] = []
  for (const { path, flags } of nodes) {
    const free = flags.filter(({ takesValue, choices }) => takesValue && choices.length === 0)
    for (const { name, choices } of flags.filter((flag) => flag.choices.length > 0)) {
      const words = `$(compgen -W ${quoted(choices.join(' '))} -- "$cur")`
      lines.push(`    ${quoted(`${path} ${name}`)}) COMPREPLY=(${words}); return ;;`)
    }
    if (free.length === 0) continue
    // No values are known: bash completes files by default.
    const patterns = free.map(({ name }) => quoted(`${path} ${name}`)).join(' | ')
    lines.push(`    ${patterns}) COMPREPLY=(); return ;;`)
  }
  return lines.join('\n')
}

function wordCase({ path, commands, choices, flags, takesAgent }: CompletionNode): string {
  const words = [...commands.map(({ name }) => name), ...choices].join(' ')
  const names = flags.map(({ name }) => name).join(' ')
  // If an argument is a file, files are completed; flags are offered once a dash is typed.
  const agents = takesAgent
    ? ` ((arguments)) || words+=" $("\${COMP_WORDS[0]}" agents list --names 2>/dev/null)";`
    : ''
  return `    ${quoted(path)}) words=${quoted(words)};${agents} [[ $cur == -* ]] && words=${quoted(names)} ;;`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
