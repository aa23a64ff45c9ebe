// Removes certain characters from the end of a text. It uses a loop, because an expression such as /[,;]+$/ restarts
// at each of them, and takes quadratic time if other text follows.

/** `characters` are single UTF-16 units. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return end === text.length ? text : text.slice(0, end)
}
