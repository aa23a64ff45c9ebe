// Writes the pages of docs/ that are made from the source.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCodesPage } from '../dist/app/error-codes-page.js'
import { limitsPage } from '../dist/app/limits-page.js'
import { servedTasks } from '../dist/app/served-tasks.js'
import { settingsPage } from '../dist/app/settings-page.js'
import { signingCodesPage } from '../dist/app/signing-codes-page.js'
import { formatsPage } from '../dist/creative/formats-page.js'
import { withChecks } from '../dist/doctor/checks-page.js'
import { versionsPage } from '../dist/protocol/releases/versions-page.js'
import { apiErrorsPage } from './api-errors.mjs'
import { withFigures } from './message-figures.mjs'
import { withFiles } from './spec-sections.mjs'

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
writeFileSync(new URL('../docs/signing-codes.md', import.meta.url), signingCodesPage())
writeFileSync(new URL('../docs/creative-formats.md', import.meta.url), formatsPage())
writeFileSync(new URL('../docs/versions.md', import.meta.url), versionsPage())
writeFileSync(new URL('../docs/task-errors.md', import.meta.url), errorCodesPage())
const { tasks, close } = await servedTasks()
writeFileSync(new URL('../docs/limits.md', import.meta.url), limitsPage(tasks.entries))
await close()

const DOCTOR = new URL('../docs/doctor.md', import.meta.url)
writeFileSync(DOCTOR, withChecks(readFileSync(DOCTOR, 'utf8')))

const SPEC = new URL('../docs/spec.md', import.meta.url)
const root = fileURLToPath(new URL('..', import.meta.url))
writeFileSync(new URL('../docs/api-errors.md', import.meta.url), apiErrorsPage(`${root}src`))
writeFileSync(SPEC, withFiles(readFileSync(SPEC, 'utf8'), root))

const AGENT = new URL('../docs/creative-agents.md', import.meta.url)
writeFileSync(AGENT, withFigures(readFileSync(AGENT, 'utf8')))
