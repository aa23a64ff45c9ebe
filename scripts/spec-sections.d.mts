/** Which files below `root` cite which section: a map from its number to the sorted paths. */
export function citedSections(root: string, folder: string): Map<string, string[]>

/** The sections of the page in their order: number, and the text without the lists of files. */
export function sectionsOf(page: string): { number: string; text: string }[]

/** The page with the lists of files of each section, which are at its end. */
export function withFiles(page: string, root: string): string
