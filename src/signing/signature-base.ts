// Writes the text that is signed (RFC 9421 §2.5): one line per covered component, in the order of the list, and
// finally the parameters exactly as they are sent.

export interface BaseInput {
  components: readonly string[]
  /** One for each component. */
  values: readonly string[]
  /** The inner list with its parameters, as written by the signer or received. */
  parameters: string
}

export function signatureBase({ components, values, parameters }: BaseInput): string {
  let base = ''
  for (let n = 0; n < components.length; n++) base += `"${components[n]}": ${values[n]}\n`
  return `${base}"@signature-params": ${parameters}`
}

/** Whether a text is an HTTP method: anything else could add lines to the base. */
export function isMethod(text: string): boolean {
  return text === 'POST' || METHOD.test(text)
}

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
