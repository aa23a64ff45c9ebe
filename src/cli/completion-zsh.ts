// The completion script for zsh: the same approach as for bash, with a description of each word.

import { stepTo } from './completion-bash.ts'
import { type CompletionNode, flagsBeforeAgent, plainAbout } from './completion-tree.ts'

export function zshScript(nodes: readonly CompletionNode[]): string {
  const below = nodes.filter(({ path }) => path !== '')
  const valued = flagsBeforeAgent(nodes)
    .map((flag) => `'${flag}'`)
    .join(' | ')
  return `#compdef adwire
# zsh completion for adwire
_adwire() {
  local at='' word prev="\${words[CURRENT-1]}"
  integer i arguments=0
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "$at $word" in
${below.map(({ path }) => `      ('${stepTo(path)}') at='${path}'; arguments=0 ;;`).join('\n')}
${valued === '' ? '' : `      (${valued}) ((i += 1)) ;;\n`}      (*) [[ $word == -* ]] || ((arguments += 1)) ;;
    esac
  done
  if [[ \${words[CURRENT]} == --*=* ]]; then
    prev="\${words[CURRENT]%%=*}"
    compset -P 1 '*='
  fi
  case "$at $prev" in
${valueCases(nodes)}
  esac
  case "$at" in
${nodes.map(wordCase).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option flags
  elif ((\${#commands})); then
    _describe command commands
  else
    _files
  fi
}
if [[ $funcstack[1] == _adwire ]]; then _adwire "$@"; else compdef _adwire adwire; fi
`
}

function valueCases(nodes: readonly CompletionNode[]): string {
  return nodes
    .flatMap(({ path, flags }) =>
      flags
        .filter(({ takesValue }) => takesValue)
        .map(({ name, choices }) => {
          const values = choices.length > 0 ? `compadd -- ${choices.join(' ')}` : '_files'
          return `    ('${path} ${name}') ${values}; return ;;`
        }),
    )
    .join('\n')
}

function wordCase({ path, commands, choices, flags, takesAgent }: CompletionNode): string {
  const described = (name: string, about: string) => `'${name}:${plainAbout(about)}'`
  const words = [
    ...commands.map(({ name, about }) => described(name, about)),
    ...choices.map((name) => `'${name}'`),
  ]
  const agents = takesAgent
    ? ` ((arguments)) || commands+=(\${(f)"$("\${words[1]}" agents list --names 2>/dev/null)"});`
    : ''
  const names = flags.map(({ name, about }) => described(name, about)).join(' ')
  return `    ('${path}') commands=(${words.join(' ')});${agents} flags=(${names}) ;;`
}
