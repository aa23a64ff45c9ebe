// The files that a publisher or a brand puts on its site, by name.

export const FILE_TYPES = ['adagents.json', 'brand.json', 'ads.txt'] as const
export type FileType = (typeof FILE_TYPES)[number]
