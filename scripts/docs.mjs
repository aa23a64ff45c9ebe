// Writes the pages of docs/ that are made from the source.
import { writeFileSync } from 'node:fs'
import { errorCodesPage } from '../dist/app/error-codes-page.js'
import { limitsPage } from '../dist/app/limits-page.js'
import { settingsPage } from '../dist/app/settings-page.js'
import { signingCodesPage } from '../dist/app/signing-codes-page.js'
import { formatsPage } from '../dist/creative/formats-page.js'

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
writeFileSync(new URL('../docs/signing-codes.md', import.meta.url), signingCodesPage())
writeFileSync(new URL('../docs/creative-formats.md', import.meta.url), formatsPage())
writeFileSync(new URL('../docs/task-errors.md', import.meta.url), errorCodesPage())
writeFileSync(new URL('../docs/limits.md', import.meta.url), limitsPage())
