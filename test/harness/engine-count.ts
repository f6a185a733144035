import type { Reporter, TestModule, Vitest } from 'vitest/node'

const engines = ['sqlite', 'postgres']

/** Says how many spec tests ran on each engine; a run of both in which the numbers differ has failed. */
export default class EngineCount implements Reporter {
  #compares = false

  onInit(vitest: Vitest): void {
    const projects = vitest.projects.map((project) => project.name)
    this.#compares = engines.every((engine) => projects.includes(engine))
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = engines.map((engine) => testsRun(modules.filter((module) => module.project.name === engine)))
    if (counts.every((count) => count === 0)) return
    console.log(`Spec tests run: ${engines.map((engine, place) => `${engine} ${counts[place]}`).join(', ')}`)
    if (!this.#compares || counts[0] === counts[1]) return
    console.error('The engines did not run the same number of spec tests.')
    process.exitCode = 1
  }
}

function testsRun(modules: readonly TestModule[]): number {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  return tests.filter((test) => ['passed', 'failed'].includes(test.result().state)).length
}
