// A creative as files: its manifest, its texts and markup, and the files this server stores for it.

import type { Manifest } from '../../../src/console/api/studio.ts'
import { type ZipFile, zipOf } from './zip.ts'

export interface Downloadable {
  /** What the files are called after. */
  name: string
  manifest: Manifest
  files: readonly { slot: string; path: string }[]
}

export function saveManifest({ name, manifest }: Pick<Downloadable, 'name' | 'manifest'>): void {
  saveAs(new Blob([manifestText(manifest)], { type: 'application/json' }), `${fileName(name)}.json`)
}

/** Reports what could not be fetched. */
export async function saveAll(creatives: readonly Downloadable[]): Promise<string | undefined> {
  const isOne = creatives.length === 1
  const found = await Promise.all(
    creatives.map((creative) => filesOf(creative, isOne ? '' : `${fileName(creative.name)}/`)),
  )
  const missing = found.flatMap((one) => one.missing)
  const [first] = creatives
  const name = isOne && first ? fileName(first.name) : 'campaign'
  saveAs(zipOf(found.flatMap((one) => one.files)), `${name}.zip`)
  return missing.length === 0 ? undefined : `Not in the archive: ${missing.join(', ')}.`
}

async function filesOf({ manifest, files }: Downloadable, folder: string) {
  const encode = (text: string) => new TextEncoder().encode(text)
  const found: ZipFile[] = [
    { name: `${folder}manifest.json`, bytes: encode(manifestText(manifest)) },
    ...contentsOf(manifest).map(([name, text]) => ({ name: folder + name, bytes: encode(text) })),
  ]
  const missing: string[] = []
  for (const { slot, path } of files) {
    const name = `${folder}${fileName(slot)}${endingOf(path)}`
    const bytes = await fetched(path)
    if (bytes) found.push({ name: freeName(name, found), bytes })
    else missing.push(name)
  }
  return { files: found, missing }
}

async function fetched(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const answer = await fetch(path)
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}

function freeName(name: string, taken: readonly ZipFile[]): string {
  const same = taken.filter((file) => file.name === name).length
  return same === 0 ? name : name.replace(/(\.\w+)?$/, `-${taken.length}$1`)
}

const ENDINGS: Readonly<Record<string, string>> = {
  html: '.html',
  css: '.css',
  javascript: '.js',
  vast: '.xml',
  daast: '.xml',
}

/** Markup and scripts in the manifest. */
function contentsOf({ assets }: Manifest): [string, string][] {
  return Object.entries(assets).flatMap(([slot, asset]): [string, string][] => {
    const { asset_type, content } = (asset ?? {}) as Record<string, unknown>
    const ending = ENDINGS[String(asset_type)]
    return ending !== undefined && typeof content === 'string'
      ? [[`${fileName(slot)}${ending}`, content]]
      : []
  })
}

function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** From third-party text: letters and digits only, so that it cannot form a path. */
export function fileName(text: string): string {
  const plain = text.replace(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 80)
  return plain.replace(/^-|-$/g, '') || 'creative'
}

function endingOf(path: string): string {
  return /\.\w{1,5}$/.exec(path)?.[0] ?? ''
}

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = globalThis.URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => globalThis.URL.revokeObjectURL(link.href), 10_000)
}
