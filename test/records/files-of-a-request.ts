import { type Profiler, Session } from 'node:inspector/promises'

/** How the module runner of the tests lets others read an export: no code of ours. */
const readsExport = /^\(\) => \{ try \{ return /

/** The files of `src/` of which a function runs in this thread while the work is done, by the coverage of V8. */
export async function filesRunBy(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Debugger.enable')
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const ran = await Promise.all(
      result.map(async (script) => ((await runsOwnCode(session, script)) ? [script.url] : [])),
    )
    return ran.flatMap(([url = '']) => pathOf(url) ?? []).toSorted()
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
}

async function runsOwnCode(session: Session, { scriptId, url, functions }: Profiler.ScriptCoverage): Promise<boolean> {
  if (pathOf(url) === undefined) return false
  const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
  return functions.some(({ ranges: [whole] }) => {
    if (whole === undefined || whole.count === 0) return false
    return !readsExport.test(scriptSource.slice(whole.startOffset, whole.endOffset))
  })
}

const pathOf = (url: string): string | undefined => /\/(src\/.*\.ts)$/.exec(url)?.[1]
