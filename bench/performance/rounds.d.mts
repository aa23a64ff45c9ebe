export type Way = () => Promise<{ rate: number; cpuUs: number }>
export interface Spread {
  ratio: number
  low: number
  high: number
}
export interface Compared {
  own: { rate: number; cpuUs: number }
  base: { rate: number; cpuUs: number }
  rate: Spread
  cpu: Spread
}
export function inRounds(ways: { own: Way; base: Way }, rounds: number): Promise<Compared>
