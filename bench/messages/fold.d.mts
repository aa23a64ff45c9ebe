/** One form of a text for all of its spellings. */
export function fold(text: string): string
/** Whether a folded spelling occurs in a folded text. */
export function holds(folded: string, sought: string): boolean
