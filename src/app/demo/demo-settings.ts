// Settings of the demo.

import { text, toggle } from '../setting.ts'

export const DEMO_SETTINGS = {
  demo: toggle({
    env: 'ADWIRE_DEMO',
    about: 'Load demo data, print a demo key, and allow http to this machine.',
    default: 'false',
  }),
  demoKey: text({
    env: 'ADWIRE_DEMO_KEY',
    about: 'Key of the demo. Default: a random key, stored in the data folder as demo-key.',
    default: '',
    placeholder: 'key',
    pattern: /^adw_[A-Za-z0-9_-]{16,128}$/,
    example: 'adw_ followed by 16 to 128 letters, digits, dashes or underscores',
    secret: true,
  }),
} as const
