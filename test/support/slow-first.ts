// Files that start processes and browsers come first: those that are left at the end are short, and all workers end at
// about the same time. Within each half the order is Vitest's own.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

const SLOW =
  /\/test\/(?:browser|cli|docs|doctor|faults|package)\/|\/test\/(?:linear-time|scenarios\/fuzz-tasks|attacks\/content)\.test/

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
