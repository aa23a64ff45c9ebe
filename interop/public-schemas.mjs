// The public schemas of 3.0 that the SDK includes, as strict validators: unknown members count where a schema forbids
// them, formats are checked, and nothing is relaxed.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const SDK = dirname(require.resolve('@adcp/sdk/package.json'))
const ofSdk = createRequire(join(SDK, 'package.json'))
const { default: Ajv } = ofSdk('ajv')
const { default: addFormats } = ofSdk('ajv-formats')

const ROOT = join(SDK, 'dist/lib/schemas-data/3.0')
const FOLDERS = ['account', 'core', 'creative', 'enums', 'extensions', 'media-buy']
FOLDERS.push('pricing-options', 'protocol', 'signals', 'error-details', 'brand', 'property')
FOLDERS.push('sponsored-intelligence', 'a2ui')

export function makeAjv() {
  const ajv = new Ajv({ strict: false, allErrors: true, discriminator: false })
  addFormats(ajv)
  return ajv
}

/**
 * A validator by the name of a schema, such as `signals/get-signals-response`: the faults as lines, none if valid.
 */
export function publicSchemas() {
  const ajv = makeAjv()
  for (const folder of FOLDERS) addAll(ajv, join(ROOT, folder))
  const { adcp_version, tools } = JSON.parse(readFileSync(join(ROOT, 'manifest.json'), 'utf8'))
  const checks = new Map()
  const checkOf = (name) => {
    const id = `/schemas/${adcp_version}/${name}.json`
    if (!checks.has(name)) checks.set(name, ajv.getSchema(id))
    return checks.get(name)
  }
  return {
    tools,
    faultsOf: (name, value) => {
      const check = checkOf(name)
      if (!check) return [`there is no schema ${name}`]
      return check(value) ? [] : (check.errors ?? []).map(lineOf)
    },
    has: (name) => checkOf(name) !== undefined,
  }
}

export function lineOf({ instancePath, message, params, schemaPath }) {
  const reported = Object.values(params ?? {}).filter((one) => typeof one === 'string')
  return `${instancePath || '/'} ${message} ${reported.join(' ')} (${schemaPath.slice(-70)})`
}

function addAll(ajv, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) addAll(ajv, path)
    else if (entry.name.endsWith('.json')) {
      const schema = JSON.parse(readFileSync(path, 'utf8'))
      if (schema.$id && !ajv.getSchema(schema.$id)) ajv.addSchema(schema)
    }
  }
}
