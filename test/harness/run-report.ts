import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { needsFarm } from './parts.ts'

/** Says before the set-up whether the run needs farms, each failure when it happens, and at the end how many tests ran in each project. */
export default class RunReport implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const files = specifications.map(({ moduleId }) => relative(process.cwd(), moduleId))
    process.env.TEST_NEEDS_FARM = files.some(needsFarm) ? 'yes' : 'no'
  }

  onTestCaseResult(test: TestCase): void {
    const { project, module, fullName } = test
    printErrors(`${project.name} ${module.relativeModuleId} > ${fullName}`, test.result().errors)
  }

  onTestModuleEnd(module: TestModule): void {
    printErrors(`${module.project.name} ${module.relativeModuleId}`, module.errors())
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

interface PrintedError {
  readonly message: string
  readonly stack?: string
}

function printErrors(where: string, errors: readonly PrintedError[] = []): void {
  for (const { message, stack = '' } of errors) {
    const ownLines = stack.split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('/node_modules/'))
    console.error(['', `Failed: ${where}`, message, ...ownLines, ''].join('\n'))
  }
}
