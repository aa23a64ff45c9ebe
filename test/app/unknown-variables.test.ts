import { expect, test } from 'vitest'
import { unknownVariables } from '../../src/app/unknown-variables.ts'
import { folder, serve } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'

test('an unknown variable that looks like a setting is reported with the closest known name', () => {
  const environment = {
    PATH: '/bin',
    ADWIRE_PORT: '8420',
    ADWIRE_CALL_KEY: 'adw_x',
    ADWIRE_PUBLC_URL: 'x',
    ADWIRE_COLOUR: 'red',
    ADWIRE_SERVICE_HOST: '10.0.0.1',
    ADWIRE_PORT_8420_TCP: 'tcp',
  }
  expect(unknownVariables(environment)).toEqual([
    'ADWIRE_PUBLC_URL is no setting and is not read: perhaps ADWIRE_PUBLIC_URL',
    'ADWIRE_COLOUR is no setting and is not read: adwire serve --help lists them',
  ])
})

test('a server says so in its log, without the value', async () => {
  const env = { ADWIRE_KEY_SECRETT: 'a secret of at least thirty-two bytes' }
  const { output } = await serve(['--data', folder()], env)
  await eventually(() => expect(output.stderr).toContain('perhaps ADWIRE_KEY_SECRET"'))
  expect(output.stderr).not.toContain(env.ADWIRE_KEY_SECRETT)
})
