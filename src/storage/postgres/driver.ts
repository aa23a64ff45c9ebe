// The PostgreSQL driver, loaded on first use: it need not be installed without PostgreSQL.

import { createRequire } from 'node:module'
import type pg from 'pg'
import { driverFault } from '../missing-driver.ts'

const load = createRequire(import.meta.url)
let loaded: typeof pg | undefined

/** Throws where it is not installed, and says so. */
export function driver(): typeof pg {
  try {
    loaded ??= load('pg') as typeof pg
    return loaded
  } catch (error) {
    throw driverFault(error, 'a PostgreSQL', 'pg')
  }
}
