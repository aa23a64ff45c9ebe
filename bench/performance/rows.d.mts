export interface Cells {
  path: string
  ours: string
  beside: string
  result: string
  aim: string
  isMet: boolean | undefined
}
export function cellsOf(row: object): Cells
