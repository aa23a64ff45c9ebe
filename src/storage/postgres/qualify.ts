// Adds the schema to the tables of a statement: the stores write `FROM tasks`, PostgreSQL reads `FROM adwire.tasks`.
//
// A search path would be shorter. But it belongs to the connection: a pooler in transaction mode passes connections
// from one client to the next and neither forwards startup options nor keeps what SET has changed, and `joinPostgres`
// writes on a program's own connection, where the search path must not change. A schema in the statement itself needs
// neither, and never matches a table of the same name elsewhere.
//
// The statements are the stores' own, in the SQL that both databases support (SELECT, INSERT, UPDATE, DELETE, WITH).
// Migrations are run with a search path set in their own transaction (`../sql/migrate.ts`).

/** Words in front of a table. */
const OPENERS = new Set(['FROM', 'JOIN', 'INTO', 'UPDATE', 'USING'])
/** Words between them and the table. */
const FILLERS = new Set(['LATERAL', 'ONLY'])
/** Words after which a comma no longer separates tables. */
const CLOSERS = new Set([
  'SELECT',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'UNION',
  'SET',
  'RETURNING',
  'VALUES',
  'FOR',
])
/** Functions with FROM among their arguments. */
const FROM_FUNCTIONS = new Set(['EXTRACT', 'SUBSTRING', 'TRIM', 'OVERLAY'])
/** Words before FROM or UPDATE that give it another meaning: IS DISTINCT FROM, DO UPDATE, FOR UPDATE. */
const NO_OPENER_AFTER = new Set(['DISTINCT', 'DO', 'FOR', 'KEY', 'ON'])

interface Token {
  text: string
  /** In upper case; empty if it is not a word. */
  word: string
  at: number
}

/** One level of parentheses. */
interface Level {
  /** Whether a comma is followed by another table. */
  isFrom: boolean
  /** Whether FROM separates arguments. */
  isArguments: boolean
}

/**
 * Strings, quoted names and comments as one token each; rows of parameters too, so that a long list of values is one
 * token; words; punctuation.
 */
const TOKEN = /'[^']*'|"[^"]*"|--[^\n]*|\((?:\$\d+,)*\$\d+\)|[A-Za-z_][A-Za-z0-9_$]*|[(),.]/g

/** `sql` with `schema` before each table that has no schema. `schema` must not need quotes. */
export function qualify(sql: string, schema: string): string {
  const tokens = tokensOf(sql)
  const known = namesOfQueries(tokens)
  const levels: Level[] = [{ isFrom: false, isArguments: false }]
  let result = ''
  let done = 0
  let opener: string | undefined
  for (const [index, { text, word, at }] of tokens.entries()) {
    const level = levels.at(-1) as Level
    const before = tokens[index - 1]?.word ?? ''
    if (text === '(') {
      opener = undefined
      levels.push({ isFrom: false, isArguments: FROM_FUNCTIONS.has(before) })
    } else if (text === ')') {
      if (levels.length > 1) levels.pop()
    } else if (text === ',') {
      if (level.isFrom) opener = 'FROM'
    } else if (word === '') {
      opener = undefined
    } else if (opener !== undefined && !FILLERS.has(word)) {
      if (isTable(tokens, index, { opener, known })) {
        result += `${sql.slice(done, at)}${schema}.`
        done = at
      }
      opener = undefined
    } else if (OPENERS.has(word) && !level.isArguments && !NO_OPENER_AFTER.has(before)) {
      opener = word
      if (word === 'FROM' || word === 'USING') level.isFrom = true
    } else if (CLOSERS.has(word)) {
      level.isFrom = false
    }
  }
  return result + sql.slice(done)
}

/** Not `schema.table`, a function, a query named by WITH, or a PostgreSQL catalogue. */
function isTable(
  tokens: readonly Token[],
  index: number,
  { opener, known }: { opener: string; known: ReadonlySet<string> },
): boolean {
  const { text } = tokens[index] as Token
  const after = tokens[index + 1]?.text
  if (after === '.' || known.has(text) || text.startsWith('pg_')) return false
  return opener === 'INTO' || !after?.startsWith('(')
}

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  for (const match of sql.matchAll(TOKEN)) {
    const [text] = match
    if (text.startsWith('--')) continue
    const isWord = /^[A-Za-z_]/.test(text)
    tokens.push({ text, word: isWord ? text.toUpperCase() : '', at: match.index })
  }
  return tokens
}

/** `name` of `name AS (…)`, also with `(columns)` or MATERIALIZED between. */
function namesOfQueries(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>()
  for (const [index, { word }] of tokens.entries()) {
    if (word !== 'AS') continue
    let next = index + 1
    while (['NOT', 'MATERIALIZED'].includes(tokens[next]?.word ?? '')) next++
    if (tokens[next]?.text !== '(') continue
    let named = index - 1
    if (tokens[named]?.text === ')') {
      while (named >= 0 && tokens[named]?.text !== '(') named--
      named--
    }
    const name = tokens[named]
    if (name && name.word !== '') names.add(name.text)
  }
  return names
}
