/** docs/api-errors.md, from the files below `src`. */
export function apiErrorsPage(src: string): string
/** The texts of errors in one source file, in their order. */
export function errorTextsOf(source: string): string[]
