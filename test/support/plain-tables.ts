// Finds look-ups in plain objects by names that are not written in the program: `TABLE[name]` with a
// name like "constructor" or "__proto__" finds what nobody put there. It reads text, not types: a name
// that some declaration of the file calls a Record of any string is taken for one wherever it stands,
// and aliases from other files are not followed. What it finds is to become a Map or to ask
// Object.hasOwn first.

export interface Source {
  path: string
  text: string
}

const ANY_NAME = String.raw`(?:readonly\s+|Readonly<|Partial<)*Record<(?:string|number|PropertyKey)\b`
const IDENTIFIER = String.raw`[A-Za-z_$][\w$]*`

/** `path name[index]` for each look-up that nothing guards. */
export function plainLookups({ path, text }: Source): string[] {
  const code = bareCode(text)
  const aliases = names(code, new RegExp(`\\btype (${IDENTIFIER}) = ${ANY_NAME}`, 'g'))
  const types = [ANY_NAME, ...aliases.map((alias) => `(?:readonly\\s+|Readonly<)*${alias}\\b`)]
  const tables = new Set(
    types.flatMap((type) => names(code, new RegExp(`\\b(${IDENTIFIER})\\??:\\s*${type}`, 'g'))),
  )
  return [...indexes(code, tables), ...memberships(code)].map((found) => `${path} ${found}`)
}

function names(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map((match) => match[1] as string)
}

function indexes(code: string, tables: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (const match of code.matchAll(
    new RegExp(`(?<![\\w$])(${IDENTIFIER})(?:\\?\\.)?\\[([^\\]\\n]+)\\]`, 'g'),
  )) {
    const [, name = '', index = ''] = match
    // Written in the program: a text, or a number.
    if (/^(['"`]|\d+$)/.test(index)) continue
    const isCast = / as keyof /.test(index)
    if (!isCast && !tables.has(name)) continue
    if (before(code, match.index).includes(`Object.hasOwn(${name},`)) continue
    found.push(`${name}[${index}]`)
  }
  return found
}

/** `name in table` is true of what every object inherits. */
function memberships(code: string): string[] {
  const plain = code.replace(/`[^`]*`/g, '``')
  return [
    ...plain.matchAll(new RegExp(`(?<![\\w$'"\\]\\[])(${IDENTIFIER}) in (${IDENTIFIER})`, 'g')),
  ]
    .filter((match) => !/\bfor \((const|let) $/.test(before(plain, match.index)))
    .map(([text]) => text)
}

/** The statement so far, roughly. */
function before(code: string, index: number): string {
  return code.slice(Math.max(0, index - 160), index)
}

/** Without what is said in it, which may look like a program. */
function bareCode(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
}
