// Settings of the console.

import { toggle } from './setting.ts'

export const CONSOLE_SETTINGS = {
  console: toggle({
    env: 'ADWIRE_CONSOLE',
    about: 'Serve the operator console under /console/.',
    default: 'true',
  }),
  consoleDemo: toggle({
    env: 'ADWIRE_CONSOLE_DEMO',
    about:
      'Let anyone who can reach a demo server sign in to its console with one click. By default, only the machine that runs the demo can.',
    default: 'false',
  }),
} as const
