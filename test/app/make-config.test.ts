import { expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { ConfigError, type ConfigOptions, makeConfig } from '../../src/app/make-config.ts'

function faults(options: object, environment = {}): readonly string[] {
  try {
    makeConfig(options as ConfigOptions, environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.errors
    throw error
  }
  return []
}

test('without options it is the config of a server without flags', () => {
  const read = readConfig({}, {})
  expect(makeConfig()).toEqual(read.ok && read.config)
})

test('options are typed values, undefined is the default, and lists stay lists', () => {
  const options = { port: 0, demo: true, egressAllow: ['10.0.0.0/8'], host: undefined }
  const config = makeConfig({ ...options, publicUrl: 'https://ads.example' })
  expect(config).toMatchObject({ port: 0, host: '127.0.0.1', publicUrl: 'https://ads.example' })
  expect(config.egressAllow).toEqual(['10.0.0.0/8', '127.0.0.0/8', '::1/128'])
  expect(config.signalsAccounts).toBe('any')
})

test('the environment counts only when it is handed in, and less than an option', () => {
  const environment = { ADWIRE_PORT: '1', ADWIRE_HOST: '::1' }
  expect(makeConfig({ port: 2 }, environment)).toMatchObject({ port: 2, host: '::1' })
  expect(faults({}, { ADWIRE_PORT: 'x' })).toEqual([
    'ADWIRE_PORT must be a whole number from 0 to 65535',
  ])
})

test('every error is reported at once, by the name of the option', () => {
  expect(faults({ port: 70_000, dns: 'fax' })).toEqual([
    'port must be a whole number from 0 to 65535',
    'dns must be one of direct, system',
  ])
  expect(faults({ egressAllowHttp: true })).toEqual([
    'egressAllow must list the CIDRs that egressAllowHttp is about',
  ])
})

test('an option that is none is refused, with the one that may have been meant', () => {
  expect(faults({ publicUrI: 'https://ads.example', constructor: 1 })).toEqual([
    'publicUrI is no setting: perhaps publicUrl',
    'constructor is no setting: docs/settings.md lists them',
  ])
})

test('a part of a list with a comma would be two: it is refused', () => {
  expect(faults({ egressAllow: ['10.0.0.0/8,0.0.0.0/0'] })).toEqual([
    'egressAllow must be a text, a number, true, false, or a list of texts without commas',
  ])
})
