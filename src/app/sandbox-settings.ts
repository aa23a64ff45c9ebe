// Settings of the sandbox.

import { text, toggle } from './setting.ts'

export const SANDBOX_SETTINGS = {
  sandbox: toggle({
    env: 'ADWIRE_SANDBOX',
    about:
      'Run as a sandbox for conformance tests: with a test controller that forces states, on a database without other users, and with http to this machine allowed. See docs/interop.md.',
    default: 'false',
  }),
  sandboxKey: text({
    env: 'ADWIRE_SANDBOX_KEY',
    about: 'Key of the sandbox. Default: a random key, new at every start.',
    default: '',
    placeholder: 'key',
    pattern: /^[A-Za-z0-9_.-]{16,128}$/,
    example: '16 to 128 letters, digits, dashes, dots or underscores',
    secret: true,
  }),
} as const
