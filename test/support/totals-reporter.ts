// Prints, last of all, how many contract tests ran on each store and one plain line of totals.
import type { Reporter, TestModule } from 'vitest/node'

export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const totals = { passed: 0, failed: 0, skipped: 0 }
    const contracts = new Map<string, number>()
    for (const module of modules) {
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0)
        totals.failed++
      for (const test of module.children.allTests()) {
        const state = test.result().state
        if (state === 'passed') totals.passed++
        else if (state === 'failed') totals.failed++
        else totals.skipped++
        const store = /\[(sqlite|postgres)\]/.exec(test.fullName)?.[1]
        if (store && state === 'passed') contracts.set(store, (contracts.get(store) ?? 0) + 1)
      }
    }
    for (const [store, count] of [...contracts].sort()) {
      console.log(`contract tests on ${store}: ${count} passed`)
    }
    const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
    console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
  }
}
