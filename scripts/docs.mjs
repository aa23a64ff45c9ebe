// Writes the pages of docs/ that are made from the source.
import { writeFileSync } from 'node:fs'
import { settingsPage } from '../dist/app/settings-page.js'

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsPage())
