// Runs headless Chromium as an isolated process: no network, no files except its own empty profile, no secrets in its
// environment. All its child processes are in one process group and end with it.

import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Confinement } from './confinement.ts'
import type { DevToolsPipe } from './devtools.ts'
import { measureTree } from './process-tree.ts'

export interface ChromiumOptions {
  /** The program. */
  path: string
  confinement: Confinement
  /** Where programs are found. */
  searchPath: string
  /** Maximum heap of a page's scripts, in MiB. */
  maxHeapMb: number
}

export interface Chromium extends DevToolsPipe {
  /** Memory of all its processes; undefined where it cannot be measured. */
  residentBytes(): number | undefined
  /** Kills all of its processes immediately. */
  kill(): void
}

export interface ChromiumEnd {
  code: number | null
  signal: string | null
  /** The tail of its standard error output. */
  said: string
}

const MAX_SAID_CHARS = 2_000

/** `onEnd` is called once, after the process has exited and its profile has been removed. */
export function startChromium(
  options: ChromiumOptions,
  onEnd: (end: ChromiumEnd) => void,
): Chromium {
  const { before, user } = options.confinement
  const profile = mkdtempSync(join(tmpdir(), 'adwire-browser-'))
  if (user) chownSync(profile, user.uid, user.gid)
  const [program = 'sh', ...args] = [...before, 'sh', '-c', SHELL, 'sh', profile]
  const child = spawn(program, [...args, options.path, ...flagsOf(options, profile)], {
    cwd: profile,
    ...user,
    // The leader of a separate process group, so that all processes can be killed together.
    detached: true,
    env: { HOME: profile, TMPDIR: profile, PATH: options.searchPath, TZ: 'UTC', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const kill = () => killGroup(child)
  watchEnd(child, (end) => {
    // What outlived its leader goes too.
    kill()
    // Not synchronously: a profile has hundreds of files, and other requests are served meanwhile.
    rm(profile, { recursive: true, force: true, maxRetries: 3 })
      .catch(() => {})
      .then(() => onEnd(end))
  })
  return {
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    residentBytes: child.pid === undefined ? () => undefined : measureTree(child.pid),
    kill,
  }
}

/**
 * Removes the profile even if the server was killed: Chromium exits when its pipe closes. No core is dumped, since it
 * would be as large as the browser.
 */
const SHELL = 'profile=$1; shift; ulimit -c 0; "$@"; code=$?; rm -rf -- "$profile"; exit $code'

function flagsOf({ confinement, maxHeapMb }: ChromiumOptions, profile: string): string[] {
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...NO_NETWORK,
    ...NOTHING_ELSE,
    `--js-flags=--max-old-space-size=${maxHeapMb}`,
    ...(confinement.hasSandbox ? [] : ['--no-sandbox']),
    'about:blank',
  ]
}

/** No name can be resolved, not even that of the proxy, and nothing bypasses the proxy, not even loopback. */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://nowhere.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--dns-prefetch-disable',
]

const NOTHING_ELSE = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-file-system',
  '--disable-notifications',
  '--disable-speech-api',
  '--disable-client-side-phishing-detection',
  '--deny-permission-prompts',
  '--disable-features=Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,PaintHolding',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--log-level=3',
  '--mute-audio',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--password-store=basic',
  '--use-mock-keychain',
]

function watchEnd(child: ChildProcess, onEnd: (end: ChromiumEnd) => void): void {
  let said = ''
  let hasEnded = false
  const end = (code: number | null, signal: string | null) => {
    if (hasEnded) return
    hasEnded = true
    onEnd({ code, signal, said: said.trim() })
  }
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-MAX_SAID_CHARS)
  })
  child.on('exit', end)
  child.on('error', (error) => {
    said = error.message
    end(null, null)
  })
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
