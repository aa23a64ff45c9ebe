// Commands for a POSIX shell: a request as curl, a call of an agent as adwire. Everything is quoted, so that text
// from third parties cannot run commands.

interface CurlRequest {
  url: string
  headers: readonly { name: string; value: string; is_hidden?: boolean | undefined }[]
  body: string
}

export function curlOf({ url, headers, body }: CurlRequest): string {
  const returned = headers.filter(({ name }) => !MADE_BY_CURL.has(name.toLowerCase()))
  const lines = [
    `curl --globoff --request POST --url ${quoted(url)}`,
    ...returned.map(
      ({ name, value, is_hidden }) =>
        `--header ${quoted(`${name}: ${is_hidden ? '<secret>' : value}`)}`,
    ),
    // --data-raw, since --data would read a file for a body that begins with @.
    `--data-raw ${quoted(body)}`,
  ]
  return lines.join(' \\\n  ')
}

interface AdwireCall {
  url: string
  task: string
  params: unknown
  transport: string
  hasKey: boolean
}

/** Does not contain the key: `--auth -` prompts for it. */
export function adwireCallOf({ url, task, params, transport, hasKey }: AdwireCall): string {
  const words = ['adwire call', quoted(url), quoted(task), quoted(JSON.stringify(params))]
  words.push(`--transport ${quoted(transport)}`)
  if (hasKey) words.push('--auth -')
  if (isPrivate(url)) words.push('--allow-private')
  return words.join(' ')
}

/** On this machine, which the command reaches only when explicitly allowed to. */
function isPrivate(url: string): boolean {
  try {
    const { hostname } = new URL(url)
    return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  } catch {
    return false
  }
}

const MADE_BY_CURL = new Set(['content-length', 'host', 'connection', 'transfer-encoding'])

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
