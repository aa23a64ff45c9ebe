// What a demo server allows its callers that other servers do not, for its start screen.

import type { Config } from '../config.ts'

export function demoAllows({ signalsAccounts }: Pick<Config, 'signalsAccounts'>): string[] {
  return signalsAccounts === 'any'
    ? ['the demo lets signals be activated for any account of any platform']
    : []
}
