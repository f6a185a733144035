import type { JSX } from 'preact'
import { Loading } from '../../look/loading.tsx'
import { tomorrow } from '../../look/today.ts'
import { useLogs } from '../../look/use-logs.ts'
import type { LogQuery } from '../../store/log-query.ts'
import type { KeptRecord } from '../../store/types.ts'
import { useFirstBeside } from '../list/use-first-beside.ts'
import { useLogPages } from '../list/use-log-pages.ts'
import { Windowed } from '../list/windowed.tsx'
import { DayOfLogs } from './day-of-logs.tsx'
import { daysOf } from './days.ts'
import { type Filters, timesOf } from './filters.ts'
import { NothingFound } from './nothing-found.tsx'
import { OlderLogs } from './older-logs.tsx'

interface LogListProps {
  readonly filters: Filters
}

/** What is not done yet begins with what is longest overdue, everything else with the newest. */
export function LogList({ filters }: LogListProps): JSX.Element {
  // Which logs make up a figure only the farm knows.
  if (filters.figure !== null) return <OlderLogs key={JSON.stringify(filters)} filters={filters} known={[]} />
  return filters.done === 'no' ? <Planned filters={filters} /> : <Recorded filters={filters} />
}

const mostPlans = 5000

function Planned({ filters }: LogListProps): JSX.Element {
  const plans = useLogs({ ...queryOf(filters), limit: mostPlans })?.toReversed() ?? null
  useFirstBeside(plans)
  if (plans === null) return <Loading />
  if (plans.length === 0) return <NothingFound filters={filters} />
  return <Days logs={plans} />
}

/** As far as one scrolls, and behind that what only the server has. */
function Recorded({ filters }: LogListProps): JSX.Element {
  const pages = useLogPages(queryOf(filters))
  useFirstBeside(pages?.logs ?? null)
  if (pages === null) return <Loading />
  const { logs, isWhole, more } = pages
  return (
    <>
      <Days logs={logs} onEnd={more} />
      {isWhole && <OlderLogs key={JSON.stringify(filters)} filters={filters} known={logs} />}
    </>
  )
}

interface DaysProps {
  readonly logs: readonly KeptRecord[]
  readonly onEnd?: () => void
}

function Days({ logs, ...ends }: DaysProps): JSX.Element {
  return (
    <Windowed items={logs} {...ends}>
      {(some, first) => daysOf(some, logs[first - 1]).map((day) => <DayOfLogs key={day.day} day={day} />)}
    </Windowed>
  )
}

/** Unless they are asked for, plans for the days to come stay out of what was recorded. */
function queryOf(filters: Filters): Omit<LogQuery, 'limit'> {
  const { type, done, flag, area, asset } = filters
  return {
    ...(type === null ? {} : { bundles: [type] }),
    ...(done === null ? {} : { done: done === 'yes' }),
    ...(flag === null ? {} : { flag }),
    ...(area === null ? {} : { area }),
    ...(asset === null ? {} : { asset }),
    ...(done === null ? { before: tomorrow.value } : {}),
    ...timesOf(filters),
  }
}
