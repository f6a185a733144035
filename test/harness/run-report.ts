import { relative } from 'node:path'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import { needsFarm } from './parts.ts'

/** Says before the set-up whether the run needs farms, and at the end how many tests ran in each project. */
export default class RunReport implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const files = specifications.map(({ moduleId }) => relative(process.cwd(), moduleId))
    process.env.TEST_NEEDS_FARM = files.some(needsFarm) ? 'yes' : 'no'
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const { project, children } of modules) {
      const ran = [...children.allTests()].filter((test) => ['passed', 'failed'].includes(test.result().state))
      counts.set(project.name, (counts.get(project.name) ?? 0) + ran.length)
    }
    console.log(`Tests run: ${[...counts].map(([project, count]) => `${project} ${count}`).join(', ')}`)
  }
}
