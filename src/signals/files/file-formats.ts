// What a file of signals may be.

export const FILE_FORMATS = ['json', 'jsonl', 'csv'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]
