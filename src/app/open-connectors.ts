// The connectors of this server: the built-in ones, those of ADWIRE_CONNECTORS, and those supplied by an embedding
// program. If any of them is invalid, the server does not start.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defined } from '../lib/defined.ts'
import { agentConnector } from '../signals/connectors/agent.ts'
import {
  type Connector,
  type Connectors,
  createConnectors,
} from '../signals/connectors/connector.ts'
import { createHttpConnector } from '../signals/connectors/http.ts'
import { type ConnectorSource, readConnectors } from '../signals/connectors/read-connectors.ts'
import { createSandbox, SANDBOX_PLATFORM } from '../signals/connectors/sandbox.ts'
import type { Parts } from './parts.ts'

export async function openConnectors(
  parts: Pick<Parts, 'config' | 'clock' | 'egress' | 'connectors' | 'sandbox'>,
): Promise<Connectors> {
  const { config, clock } = parts
  const egress = parts.sandbox?.traffic.recording(parts.egress) ?? parts.egress
  const sandbox = createSandbox({
    clock,
    delayMs: config.sandboxDelaySeconds * 1_000,
    fail: config.sandboxFail,
  })
  const platforms: Record<string, Connector> = { [SANDBOX_PLATFORM]: sandbox }
  for (const [platform, source] of sourcesOf(config.connectors)) {
    platforms[platform] = await openConnector(platform, source, { egress })
  }
  return createConnectors({
    platforms: { ...platforms, ...parts.connectors },
    agent: agentConnector,
    // A demo has no platforms to call, and simulates them.
    ...defined({ fallback: parts.sandbox?.platforms ?? (config.demo ? sandbox : undefined) }),
  })
}

function sourcesOf(setting: string | undefined): Map<string, ConnectorSource> {
  if (setting === undefined) return new Map()
  const json = setting.startsWith('{')
    ? setting
    : readText(setting, 'ADWIRE_CONNECTORS must be JSON or the path of a file of it: that file')
  const read = readConnectors(json)
  if (!read.ok) throw new Error(`ADWIRE_CONNECTORS ${read.error}`)
  return read.sources
}

async function openConnector(
  platform: string,
  source: ConnectorSource,
  { egress }: { egress: Pick<Parts['egress'], 'fetch'> },
): Promise<Connector> {
  if ('module' in source) return importConnector(platform, source)
  const { url, headers, bearerFile } = source
  const bearer =
    bearerFile === undefined
      ? {}
      : { authorization: `Bearer ${readText(bearerFile, `the bearer_file of ${platform}`).trim()}` }
  return createHttpConnector({ url, headers: { ...headers, ...bearer }, egress })
}

async function importConnector(
  platform: string,
  { module, options }: Extract<ConnectorSource, { module: string }>,
): Promise<Connector> {
  const path = resolve(module)
  const wanted = `must export createConnector(options), which returns a connector`
  const exported = (await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new Error(`the connector module of ${platform} cannot be loaded: ${path}`, {
      cause: error,
    })
  })) as { createConnector?: unknown }
  if (typeof exported.createConnector !== 'function') {
    throw new Error(`the connector module of ${platform} ${wanted}`)
  }
  const connector = (await exported.createConnector(options)) as Partial<Connector> | undefined
  if (
    typeof connector?.activate !== 'function' ||
    typeof connector.deactivate !== 'function' ||
    !['function', 'undefined'].includes(typeof connector.poll)
  ) {
    throw new Error(`the connector module of ${platform} ${wanted}: activate, deactivate and poll`)
  }
  return connector as Connector
}

function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`${what} cannot be read`)
  }
}
