// Which database, on which connections, and what an instance does of the work in it.

import { postgresUrlFault } from '../storage/postgres/hosts.ts'
import { DEFAULT_SCHEMA, schemaFault } from '../storage/postgres/schema-name.ts'
import { ROLES, roleFault } from './roles.ts'
import { checkedText, checkedUrl, integer, list, oneOf } from './setting.ts'

export const DATABASE_SETTINGS = {
  databaseUrl: checkedUrl({
    env: 'ADWIRE_DATABASE_URL',
    about:
      'PostgreSQL 14 or later, to share with other instances, instead of SQLite. With several hosts, such as ' +
      'postgres://a:5432,b:5432/db, Adwire uses the primary among them.',
    default: '',
    fault: postgresUrlFault,
    secret: true,
  }),
  databaseListenUrl: checkedUrl({
    env: 'ADWIRE_DATABASE_LISTEN_URL',
    about:
      'Direct connection to PostgreSQL for notifications, if ADWIRE_DATABASE_URL is a pooler in transaction mode.',
    default: '',
    fault: postgresUrlFault,
    secret: true,
  }),
  databaseSchema: checkedText({
    env: 'ADWIRE_DATABASE_SCHEMA',
    about: 'PostgreSQL schema for all tables of Adwire and nothing else; created if missing.',
    default: DEFAULT_SCHEMA,
    placeholder: 'name',
    fault: schemaFault,
  }),
  databasePool: integer({
    env: 'ADWIRE_DATABASE_POOL',
    about: 'Maximum number of connections to PostgreSQL.',
    default: '10',
    min: 2,
    max: 500,
  }),
  roles: list({
    env: 'ADWIRE_ROLES',
    about:
      'What this instance does: api serves requests, sender sends webhooks, worker runs tasks, verifier verifies and ' +
      'crawls. Other instances on the same PostgreSQL do the rest.',
    default: ROLES.join(','),
    check: roleFault,
  }),
  databaseCheck: oneOf({
    env: 'ADWIRE_DATABASE_CHECK',
    about:
      'Whether to check the SQLite file for damage at startup: auto decides by its size and by whether the last stop was clean.',
    default: 'auto',
    placeholder: 'how',
    values: ['auto', 'full', 'off'],
  }),
} as const
