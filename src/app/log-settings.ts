// Settings of the log.

import { oneOf } from './setting.ts'

export const LOG_SETTINGS = {
  logLevel: oneOf({
    env: 'ADWIRE_LOG_LEVEL',
    about: 'Minimum log level. Logs go to standard error.',
    default: 'info',
    placeholder: 'level',
    values: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  }),
  logFormat: oneOf({
    env: 'ADWIRE_LOG_FORMAT',
    about: 'Format of log lines: json, pretty (human-readable), or auto: pretty in a terminal.',
    default: 'auto',
    placeholder: 'format',
    values: ['auto', 'json', 'pretty'],
  }),
} as const
