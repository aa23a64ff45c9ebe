// The PostgreSQL driver, loaded on first use: it does not have to be installed if PostgreSQL is not used.

import { createRequire } from 'node:module'
import type pg from 'pg'
import { driverFault } from '../missing-driver.ts'

const load = createRequire(import.meta.url)
let loaded: typeof pg | undefined

/** Throws with an explanation if it is not installed. */
export function driver(): typeof pg {
  try {
    loaded ??= load('pg') as typeof pg
    return loaded
  } catch (error) {
    throw driverFault(error, 'a PostgreSQL', 'pg')
  }
}
