// Whether a text is a URL. Not by `URL.canParse`, which in Node 20 answers no to every host with letters
// beyond ASCII once it has been called often enough to be optimised.

export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base)
    return true
  } catch {
    return false
  }
}
