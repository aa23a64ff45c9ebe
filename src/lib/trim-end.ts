// A text without certain characters at its end. A loop, because an expression such as /[,;]+$/ begins
// anew at each of them, and takes the square of their number when something else follows.

/** `characters` are single UTF-16 units. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return end === text.length ? text : text.slice(0, end)
}
