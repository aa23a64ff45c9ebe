// The exit codes of commands that call another agent or receiver, by the kind of failure: scripts branch on them.

/** In the order in which the help and the docs list them. */
const EXIT_CODES = {
  ok: { code: 0, about: 'success' },
  fault: { code: 1, about: 'an error of this program or machine' },
  usage: { code: 2, about: 'usage error: an unknown flag or a bad value; nothing was sent' },
  unreachable: { code: 3, about: 'the agent could not be reached' },
  unauthorized: { code: 4, about: 'no key was given, or the agent did not accept it' },
  refused: { code: 5, about: 'the agent refused the task: its error is printed' },
  timeout: { code: 6, about: 'timeout; the task may still be running at the agent' },
  invalidAnswer: {
    code: 7,
    about: 'the response does not follow the protocol or the schema of the task',
  },
  failed: { code: 8, about: 'the task ended as failed, rejected or canceled' },
  inputRequired: { code: 9, about: 'the agent needs more input before it can continue' },
  interrupted: { code: 130, about: 'interrupted with Ctrl-C' },
} as const

export type Ending = keyof typeof EXIT_CODES

/** Ends the command with the exit code of its kind; the message is one line: the cause, and what to do. */
export class CommandError extends Error {
  readonly exitCode: number
  constructor(ending: Ending, message: string) {
    super(message)
    this.exitCode = EXIT_CODES[ending].code
  }
}

/** For --help: one line each. `abouts` lists the codes of this command and what they mean for it. */
export function exitCodesHelp(abouts: Partial<Record<Ending, string>> = ALL): string {
  const lines = Object.entries(abouts).map(
    ([ending, about]) => `  ${String(EXIT_CODES[ending as Ending].code).padEnd(5)}${about}`,
  )
  return `\nExit codes:\n${lines.join('\n')}`
}

const ALL = Object.fromEntries(
  Object.entries(EXIT_CODES).map(([ending, { about }]) => [ending, about]),
)
