// Ways to spoil a message once it is signed.

export const header = (name, change) => ({
  after: ({ headers }) => {
    const value = change(headers[name])
    if (value === undefined) delete headers[name]
    else headers[name] = value
  },
})

export const input = (from, to) => header('Signature-Input', (text) => text.replace(from, to))

export const signature = (change) =>
  header('Signature', (text) => `sig1=:${change(text.slice(6, -1))}:`)

export const bare = header('Signature', () => undefined)

export const unsigned = {
  after: ({ headers }) => {
    delete headers.Signature
    delete headers['Signature-Input']
  },
}
