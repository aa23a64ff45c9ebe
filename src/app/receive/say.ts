// What `adwire receive` prints on standard output.

let unsaid = ''

/** Lines of one turn are written together: under load there are thousands a second. */
export function say(text: string | undefined): void {
  if (text === undefined) return
  if (unsaid === '') setImmediate(sayAll)
  unsaid += `${text}\n`
}

function sayAll(): void {
  process.stdout.write(unsaid)
  unsaid = ''
}
