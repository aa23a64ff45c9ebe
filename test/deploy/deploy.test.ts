// What operators deploy: alert rules, dashboard, unit and image, held against the server and checked by their own tools
// where these are installed.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../support/app.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined

const RULES = 'deploy/prometheus/alerts.yml'
const alerts = [...read(RULES).matchAll(/- alert: (\w+)[\s\S]*?runbook: (\S+)/g)].map(
  ([, name = '', page = '']) => ({ name, page }),
)

let metrics: Set<string>
beforeAll(async () => {
  const app = await startApp()
  const text = await (await fetch(`${app.url}/metrics`)).text()
  metrics = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
  await app.stop()
})

/** Names of metrics in a text of queries, without the endings of histograms. */
function namesIn(text: string): string[] {
  const names = text.match(/\b(?:adwire|nodejs|process)_[a-z0-9_]+/g) ?? []
  return [...new Set(names.map((name) => name.replace(/_(?:count|sum|bucket)$/, '')))]
}

test.each([RULES, 'deploy/prometheus/alerts.test.yml', 'deploy/grafana/dashboards/adwire.json'])(
  'the metrics of %s are those of the server',
  (path) => {
    const names = namesIn(read(path))
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => !metrics.has(name))).toEqual([])
  },
)

test('each alert has a page that says what to do, and a test that causes it', () => {
  expect(alerts.length).toBeGreaterThan(5)
  for (const { name, page } of alerts) {
    const text = read(page)
    expect(text).toContain(`# ${name}\n`)
    for (const heading of ['What it means', 'What to look at', 'What to do']) {
      expect(text, page).toContain(`## ${heading}\n`)
    }
    expect(read('deploy/prometheus/alerts.test.yml')).toContain(`alertname: ${name}\n`)
    expect(read('docs/deploying.md')).toContain(`[${name}](${page.replace('docs/', '')})`)
  }
  const pages = readdirSync(join(ROOT, 'docs/runbooks')).map((file) => `docs/runbooks/${file}`)
  expect(pages.toSorted()).toEqual(alerts.map(({ page }) => page).toSorted())
})

test('settings that deployment files set are settings of the server', () => {
  const known = read('docs/settings.md')
  const files = ['Dockerfile', 'compose.yaml', 'systemd/adwire.service']
  const names = files.flatMap((file) => read(`deploy/${file}`).match(/\bADWIRE_[A-Z_]+/g) ?? [])
  for (const name of names) expect(known).toContain(`| \`${name}\``)
})

if (!has('promtool')) console.warn('alert rules are NOT tested by promtool: install prometheus')
describe.skipIf(!has('promtool'))('by promtool', () => {
  test.each([
    ['test', 'rules', 'alerts.test.yml'],
    ['check', 'config', 'prometheus.yml'],
  ])('%s %s %s finds nothing wrong', (...args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: join(ROOT, 'deploy/prometheus'),
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  })
})

if (!has('systemd-analyze')) console.warn('the unit is NOT verified: install systemd')
describe.skipIf(!has('systemd-analyze'))('by systemd-analyze', () => {
  test('the unit is hardened', () => {
    const unit = join(ROOT, 'deploy/systemd/adwire.service')
    const args = ['security', '--offline=true', '--threshold=20', unit]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  })
})
