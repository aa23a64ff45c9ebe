// Settings of the console.

import { toggle } from './setting.ts'

export const CONSOLE_SETTINGS = {
  console: toggle({
    env: 'ADWIRE_CONSOLE',
    about: 'Serve the console for operators under /console/.',
    default: 'true',
  }),
  consoleDemo: toggle({
    env: 'ADWIRE_CONSOLE_DEMO',
    about:
      'Let anybody who reaches a demo server into its console by one click. Without it that ' +
      'is for the machine that runs the demo alone.',
    default: 'false',
  }),
} as const
