// How the console is built: static files with hashed names into dist/console, which also holds the compiled
// src/console. The app owns index.html and assets/ there, and touches nothing else; each view is a chunk of its own.

import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const OUT = fileURLToPath(new URL('../dist/console', import.meta.url))
const ASSETS = 'assets'

/** Of an earlier build nothing stays: once the new files are there, the old ones go. */
const withoutOldAssets: Plugin = {
  name: 'without-old-assets',
  writeBundle: ({ dir = OUT }, bundle) => {
    for (const name of readdirSync(`${dir}/${ASSETS}`)) {
      if (!(`${ASSETS}/${name}` in bundle)) rmSync(`${dir}/${ASSETS}/${name}`)
    }
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  logLevel: 'warn',
  plugins: [withoutOldAssets],
  build: {
    outDir: OUT,
    emptyOutDir: false,
    assetsDir: ASSETS,
    target: 'es2022',
    // The policy of the pages allows files of this server and nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What most views are made of comes in one file beside the first, and not in ten small ones after it.
        codeSplitting: {
          groups: [
            {
              name: 'parts',
              test: /console\/src\/(?:api|parts)\/(?!draw-chart|schema-|agent-|exchanges|signal-places|send-file|checks|select-field|secret)/,
            },
          ],
        },
      },
    },
  },
  // For work on the screens: the API is that of a server beside it.
  server: { proxy: { '/console/api': 'http://127.0.0.1:8420' } },
})
