// Where the console begins.

import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/lists.css'
import './style/states.css'
import './style/pieces.css'
import './style/signals.css'
import './style/studio.css'
import './style/agents.css'
import './style/schema-form.css'
import './style/buys.css'
import './style/keys.css'
import './theme.ts'
import './links.ts'
import './keys.ts'
import { render } from 'preact'
import { askSession } from './api/ahead.ts'
import { placeOf } from './paths.ts'
import { path } from './router.ts'
import { loadView } from './routes.ts'
import { App } from './shell/app.tsx'

const place = document.getElementById('app')
// Buyers have their own page, which never requests the signed-in user.
const isLink = path.peek() === '/link' || path.peek().startsWith('/link/')
if (isLink) {
  import('./link/link-app.tsx').then(
    ({ LinkApp }) => place && render(<LinkApp />, place),
    () => place?.append('The page could not be loaded. Load it again.'),
  )
} else startConsole()

function startConsole() {
  askSession()
  // The view loads while the server is queried for the signed-in user. If it fails to load, the component that
  // displays it reports that.
  const found = placeOf(path.peek())
  if (found) loadView(found.view).catch(() => {})
  if (place) render(<App />, place)
}
