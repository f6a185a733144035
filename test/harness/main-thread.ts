import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds: the beginning, the duration, and the thread's own time in it. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Milliseconds of processor time of each task on the main thread of the pages: other processes do not count. */
export async function mainThreadTasks(page: Page, act: () => Promise<unknown>): Promise<number[]> {
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
  const ofPages = events.filter(({ pid, tid }) => pages.some((one) => one.pid === pid && one.tid === tid))
  const tasks = pages.flatMap(({ pid, tid }) => tasksOf(ofPages.filter((one) => one.pid === pid && one.tid === tid)))
  expect(tasks.length).toBeGreaterThan(0)
  return tasks
}

/** The microtasks of a task, such as all that follows an `await`, come after it in the trace and belong to it. */
function tasksOf(events: readonly TraceEvent[]): number[] {
  const tasks: number[] = []
  let end = 0
  for (const { name, ts, dur = 0, tdur = 0 } of events.toSorted((one, other) => one.ts - other.ts)) {
    if (name.endsWith('RunTask')) {
      tasks.push(tdur / 1000)
      end = ts + dur
    } else if (name.endsWith('PerformMicrotaskCheckpoint') && ts >= end && tasks.length > 0)
      tasks.push((tasks.pop() ?? 0) + tdur / 1000)
  }
  return tasks
}
