// The files of the console's app, read once and held in memory: so a request path is never a path on disk. Names
// under assets/ contain a digest and may be cached forever.

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface AppFile {
  body: Buffer
  type: string
  /** The compressed file, if that is worth it. */
  gzip: Buffer | undefined
}

export interface AppFiles {
  index: AppFile
  /** By their names under assets/. */
  assets: ReadonlyMap<string, AppFile>
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json; charset=utf-8'],
])
const ASSETS = 'assets'
const MIN_GZIP_BYTES = 512

/** From the first folder that has an index.html; undefined if the app was not built. */
export function readAppFiles(folders: readonly string[]): AppFiles | undefined {
  for (const folder of folders) {
    const index = read(join(folder, 'index.html'))
    if (!index) continue
    const names = namesIn(join(folder, ASSETS))
    const assets = names.flatMap((name) => {
      const file = read(join(folder, ASSETS, name))
      return file ? [[name, file] as const] : []
    })
    return { index, assets: new Map(assets) }
  }
  return undefined
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
  } catch {
    return []
  }
}

function read(path: string): AppFile | undefined {
  const type = TYPES.get(extname(path))
  if (type === undefined) return undefined
  try {
    const body = readFileSync(path)
    const isText =
      !type.startsWith('image/p') && !type.startsWith('image/w') && type !== 'font/woff2'
    let gzip: Buffer | undefined
    return {
      body,
      type,
      // When it is first requested: to compress all of them takes longer than to read them.
      get gzip() {
        if (isText && body.length >= MIN_GZIP_BYTES) gzip ??= gzipSync(body, { level: 9 })
        return gzip
      },
    }
  } catch {
    return undefined
  }
}
