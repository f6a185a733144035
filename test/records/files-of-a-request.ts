import { type Profiler, Session } from 'node:inspector/promises'

/** The files of `src/` of which a function runs in this thread while the work is done, by the coverage of V8. */
export async function filesRunBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(runsCode)
      .flatMap(({ url }) => pathOf(url) ?? [])
      .toSorted()
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

/** A script whose functions all rest was only loaded. */
const runsCode = ({ functions }: Profiler.ScriptCoverage): boolean =>
  functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)

/** Tests run the compiled files of `compiledSource`. */
const pathOf = (url: string): string | undefined => {
  const path = /\/\.furrow-source-\d+\/(src\/.*)\.js$/.exec(url)?.[1]
  return path === undefined ? undefined : `${path}.ts`
}
