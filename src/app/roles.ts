// What an instance does of all the work of a fleet: it serves requests, sends webhooks, runs tasks, or verifies.

/** `api`: every request. `sender`: webhooks. `worker`: long tasks and media buys. `verifier`: the registry's look-outs. */
export const ROLES = ['api', 'sender', 'worker', 'verifier'] as const

export function roleFault(role: string): string | undefined {
  return (ROLES as readonly string[]).includes(role)
    ? undefined
    : `is not a role: give some of ${ROLES.join(', ')}`
}

interface Roles {
  roles: readonly string[]
}

/** What is wrong with the roles of a config, as the end of a sentence; undefined if nothing is. */
export function rolesFault({
  roles,
  databaseUrl,
  demo,
  sandbox,
}: Roles & { databaseUrl: string | undefined; demo: boolean; sandbox: boolean }):
  | string
  | undefined {
  if (roles.length === 0) return `must list at least one of ${ROLES.join(', ')}`
  if (ROLES.every((role) => roles.includes(role))) return undefined
  if (databaseUrl === undefined) {
    return 'must list all roles with SQLite, where no other instance does the rest'
  }
  return demo || sandbox ? 'must list all roles with a demo or a sandbox' : undefined
}

/** An instance without a role has no slots for its work, and leaves it to others. */
export function inRoles<Config extends Roles>(config: Config): Config {
  const has = (role: (typeof ROLES)[number]) => config.roles.includes(role)
  return {
    ...config,
    ...(has('sender') ? {} : { webhookConcurrency: 0 }),
    ...(has('worker') ? {} : { taskConcurrency: 0 }),
    ...(has('verifier') ? {} : { registryVerifyConcurrency: 0, registryCrawlConcurrency: 0 }),
  }
}
