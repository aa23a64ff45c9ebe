// Which files and packages some files of dist/ need: what they import, and what that imports.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*|\bimport\(\s*|\brequire\(\s*)(['"])([^'"\n]+)\1/g

/**
 * @param {readonly string[]} entries Paths of .js files, or of .d.ts files for the declarations.
 * @returns {{ files: string[], packages: string[] }} Absolute paths, and names of packages; sorted.
 */
export function importClosure(entries) {
  const files = new Set()
  const packages = new Set()
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const [, , specifier] of code(file).matchAll(SPECIFIER)) {
      if (specifier.startsWith('.')) waiting.push(resolved(file, specifier))
      else if (!specifier.startsWith('node:')) packages.add(packageOf(specifier))
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

/** Without its comments, which may show imports. */
function code(file) {
  const text = readFileSync(file, 'utf8')
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}

/** Declarations name the sources that they were made of. */
function resolved(from, specifier) {
  const path = join(dirname(from), specifier)
  const tried = from.endsWith('.d.ts')
    ? [path.replace(/\.ts$/, '.d.ts')]
    : [path, `${path}.js`, join(path, 'index.js')]
  const found = tried.find((one) => /\.(?:js|json|d\.ts)$/.test(one) && existsSync(one))
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which is not there`)
  return found
}

function packageOf(specifier) {
  const [scope, name] = specifier.split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
