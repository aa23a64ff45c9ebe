// The package as a user has it: packed, and installed from the tarball into an empty folder. What is
// packed is the build that is there.

import { execFile } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Installed {
  /** Where it was installed: with a node_modules of its own. */
  folder: string
  /** Paths of the files in the tarball. */
  files: readonly string[]
  tarballBytes: number
  remove(): void
}

/** Undefined where npm cannot reach any packages: not for any other failure. */
export function installPackage(): Promise<Installed | undefined> {
  // Without scripts: another test may be using the build, which prepack would make again.
  return install((home) =>
    npm(ROOT, ['pack', '--json', '--ignore-scripts', '--pack-destination', home]),
  )
}

/** The same for adwire-webhooks, without what it leaves to its user. */
export function installWebhooks(): Promise<Installed | undefined> {
  return install((home) =>
    run(process.execPath, ['scripts/pack-webhooks.mjs', join(home, 'packed')], { cwd: ROOT }),
  )
}

async function install(pack: (home: string) => Promise<Ended>): Promise<Installed | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'adwire-package-'))
  const remove = () => rmSync(home, { recursive: true, force: true })
  const folder = join(home, 'app')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  try {
    const packed = await pack(home)
    if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.stderr}`)
    const [tarball] = JSON.parse(packed.stdout) as PackReport[]
    if (!tarball) throw new Error(`npm pack made nothing: ${packed.stdout}`)
    const paths = [home, join(home, 'packed')].map((path) => join(path, tarball.filename))
    const installed = await npm(folder, [
      'install',
      '--prefix',
      folder,
      '--omit=dev',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      paths.find((path) => existsSync(path)) as string,
    ])
    if (installed.code !== 0) {
      if (!UNREACHABLE.test(installed.stderr)) throw new Error(`npm: ${installed.stderr}`)
      remove()
      return undefined
    }
    const files = tarball.files.map(({ path }) => path)
    return { folder, files, tarballBytes: tarball.size, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Compiles programs in strict TypeScript, every declaration on the way checked, into `out/`. */
export async function compile(
  folder: string,
  programs: Readonly<Record<string, string>>,
  { types = [] }: { types?: readonly string[] } = {},
): Promise<Ended> {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    rootDir: '.',
    outDir: 'out',
  }
  const project = JSON.stringify({ compilerOptions, files: Object.keys(programs) })
  writeFileSync(join(folder, 'tsconfig.json'), project)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  return run(process.execPath, [tsc, '-p', '.'], { cwd: folder })
}

/** The sizes of all files in a folder, whatever the blocks of the disk are. */
export function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}

interface PackReport {
  filename: string
  size: number
  files: { path: string }[]
}

const UNREACHABLE =
  /\b(?:ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT)\b/

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function npm(cwd: string, args: readonly string[]): Promise<Ended> {
  return run('npm', args, { cwd })
}

export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 64 * 1_048_576, ...options }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0
      resolve({ code, stdout, stderr })
    })
  })
}
