// Shorter forms of a brand's name that are still its name: without words that only say who owns the company or what
// kind it is, and then its first word. A name in letters without spaces has none.

/** Longest first; excludes the name itself. */
export function shortNames(name: string): string[] {
  const words = name.split(' ').filter(Boolean)
  const bare = words.filter((word) => !FORMS.has(word.toLowerCase().replace(/[.,()]/g, '')))
  const forms: string[] = []
  if (bare.length > 0 && bare.length < words.length) forms.push(bare.join(' '))
  const first = bare.find((word) => word.length > 3)
  if (bare.length > 1 && first !== undefined && first === bare[0]) forms.push(first)
  return forms
}

const FORMS: ReadonlySet<string> = new Set([
  'ab',
  'ag',
  'as',
  'bv',
  'co',
  'corp',
  'corporation',
  'company',
  'gmbh',
  'group',
  'holding',
  'holdings',
  'inc',
  'incorporated',
  'kg',
  'limited',
  'llc',
  'llp',
  'ltd',
  'nv',
  'oy',
  'plc',
  'pty',
  'sa',
  'sarl',
  'se',
  'spa',
  'srl',
  'ооо',
  'ао',
])
