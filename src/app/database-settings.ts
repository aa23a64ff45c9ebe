// Which database, on which connections, and what an instance does of the work in it.

import { postgresUrlFault } from '../storage/postgres/hosts.ts'
import { DEFAULT_SCHEMA, schemaFault } from '../storage/postgres/schema-name.ts'
import { ROLES, roleFault } from './roles.ts'
import { checkedText, checkedUrl, integer, list, oneOf } from './setting.ts'

export const DATABASE_SETTINGS = {
  databaseUrl: checkedUrl({
    env: 'ADWIRE_DATABASE_URL',
    about:
      'PostgreSQL 14 or later to share with other instances, instead of SQLite. Several hosts, as in ' +
      'postgres://a:5432,b:5432/db: the primary among them.',
    default: '',
    fault: postgresUrlFault,
    secret: true,
  }),
  databaseListenUrl: checkedUrl({
    env: 'ADWIRE_DATABASE_LISTEN_URL',
    about:
      'Direct connection to the PostgreSQL for notifications, where ADWIRE_DATABASE_URL is that of a pooler in ' +
      'transaction mode.',
    default: '',
    fault: postgresUrlFault,
    secret: true,
  }),
  databaseSchema: checkedText({
    env: 'ADWIRE_DATABASE_SCHEMA',
    about:
      'Schema of the PostgreSQL that has all tables of Adwire and nothing else; it is made when missing.',
    default: DEFAULT_SCHEMA,
    placeholder: 'name',
    fault: schemaFault,
  }),
  databasePool: integer({
    env: 'ADWIRE_DATABASE_POOL',
    about: 'Most connections to the PostgreSQL.',
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
      'How the SQLite file is checked for damage at the start: auto goes by its size and whether the last stop was clean.',
    default: 'auto',
    placeholder: 'how',
    values: ['auto', 'full', 'off'],
  }),
} as const
