// Messages that are lists: the bullets are not copy.

const BULLET = /^ ?[-–—•*·▪‣●○◦✓✔➤→] ?(?=[^\p{Nd}\s])/u
const NUMBERED = /^ ?[(（]?\p{Nd}{1,2}(?:[.)）] |[、．])/u

/** Without the bullets of a list, if at least two lines have one. */
export function withoutBullets(text: string): string {
  const lines = text.split('\n')
  const isListed = (mark: RegExp) => lines.filter((line) => mark.test(line)).length > 1
  const marks = [BULLET, NUMBERED].filter(isListed)
  if (marks.length === 0) return text
  return lines.map((line) => marks.reduce((rest, mark) => rest.replace(mark, ''), line)).join('\n')
}
