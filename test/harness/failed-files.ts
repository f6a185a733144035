import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** More than that is no accident of a busy machine. */
const most = 3

/** For `test/run.mjs`: the files that failed, and whether they may be tried once more. Spec files and the rules of the house never are. */
export default class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const into = process.env.FAILED_FILES
    if (into === undefined) return
    const failed = modules.filter((module) => !module.ok())
    const files = failed.map((module) => relative(process.cwd(), module.moduleId))
    const mayTryAgain =
      errors.length === 0 &&
      files.length > 0 &&
      files.length <= most &&
      failed.every(({ project }) => project.name === 'rooms')
    writeFileSync(into, JSON.stringify({ files, mayTryAgain }))
  }
}
