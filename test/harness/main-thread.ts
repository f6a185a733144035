import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Milliseconds of processor time of each task on the main thread of the pages: other processes do not count. */
export async function mainThreadTasks(page: Page, act: () => Promise<void>): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[])))
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } })
  await act()
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const pages = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pages.some((one) => one.pid === pid && one.tid === tid),
  )
  expect(tasks.length).toBeGreaterThan(0)
  return tasks.map(({ tdur = 0 }) => tdur / 1000)
}
