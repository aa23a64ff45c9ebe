// What the commands share for output to a person: one-line errors, tables, a progress bar. Values of records may come
// from third parties, so terminal control sequences in them are never printed.

import { createRequire } from 'node:module'
import type cliProgress from 'cli-progress'
import pc from 'picocolors'
import { escapeControls } from '../lib/escape-controls.ts'
import { CommandError } from './exit-codes.ts'
import { printableText } from './printable-text.ts'

/** A usage error: printed without a stack trace, exit code 2. */
export class UsageError extends Error {}

export function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${pc.red('error:')} ${message}\n`)
  process.exitCode = exitCodeOf(error)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode
  return error instanceof UsageError ? 2 : 1
}

export function printJson(value: unknown): void {
  print(escapeControls(JSON.stringify(value)))
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One member per line; nested objects as JSON. */
export function printMembers(members: object): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue
    const text = typeof value === 'object' ? escapeControls(JSON.stringify(value)) : String(value)
    print(`${printableText(name)}: ${printableText(text)}`)
  }
}

/** Each column is as wide as its widest cell. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const safe = rows.map((row) => row.map((cell) => printableText(cell)))
  const widths = header.map((name, column) =>
    safe.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), name.length),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  print(pc.bold(line(header)))
  for (const row of safe) print(line(row))
}

export interface Progress {
  update(done: number): void
  stop(): void
}

// Loaded only where there is a bar: every command would wait for it.
const require = createRequire(import.meta.url)

/** A bar on a terminal, nothing in a pipe. */
export function progressBar(total: number, unit: string): Progress {
  if (!process.stderr.isTTY || total === 0) return { update: () => {}, stop: () => {} }
  const { Presets, SingleBar } = require('cli-progress') as typeof cliProgress
  const bar = new SingleBar(
    {
      format: `{bar} {percentage}% {value}/{total} ${unit}, {eta_formatted} left`,
      stream: process.stderr,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0)
  return { update: (done) => bar.update(done), stop: () => bar.stop() }
}
