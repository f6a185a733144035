import type { JSX } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { tomorrow } from '../../look/day.ts'
import { Failed } from '../../look/failure.tsx'
import { Loading } from '../../look/page.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { generation, type LogQuery, logs } from '../../store/local-copy.ts'
import { type LocalRecord, timeOf } from '../../store/record.ts'
import type { Failure } from '../../sync/request.ts'
import { say } from '../../words/say.ts'
import { logsAt } from '../logs-on-server.ts'
import { useFirstBeside, Windowed } from '../long-list.tsx'
import { type Filters, listOnServer, timesOf } from './list-address.ts'
import { DayOfLogs, daysOf } from './list-rows.tsx'
import { NothingFound } from './nothing-found.tsx'

interface LogListProps {
  readonly filters: Filters
}

/** Pending logs start with the longest overdue, all others with the newest. */
export function LogList({ filters }: LogListProps): JSX.Element {
  // Only the server knows the logs behind a figure.
  if (filters.figure !== null) return <OlderLogs key={JSON.stringify(filters)} filters={filters} known={[]} />
  return filters.done === 'no' ? <PlannedLogs filters={filters} /> : <RecordedLogs filters={filters} />
}

const mostPlans = 5000

function PlannedLogs({ filters }: LogListProps): JSX.Element {
  const plans = useLogs({ ...queryOf(filters), limit: mostPlans })?.toReversed() ?? null
  useFirstBeside(plans)
  if (plans === null) return <Loading />
  if (plans.length === 0) return <NothingFound filters={filters} />
  return <Days logs={plans} />
}

/** Logs of the copy while scrolling, then those of the server. */
function RecordedLogs({ filters }: LogListProps): JSX.Element {
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
  readonly logs: readonly LocalRecord[]
  readonly onEnd?: () => void
}

function Days({ logs, ...ends }: DaysProps): JSX.Element {
  return (
    <Windowed items={logs} {...ends}>
      {(some, first) => daysOf(some, logs[first - 1]).map((day) => <DayOfLogs key={day.day} day={day} />)}
    </Windowed>
  )
}

/** Excludes future plans unless they are asked for. */
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

type Query = Omit<LogQuery, 'limit'>

interface LoadedLogs {
  readonly logs: readonly LocalRecord[]
  /** True at the end of the copy. */
  readonly isWhole: boolean
}

interface LogPages extends LoadedLogs {
  readonly more: () => void
}

const pageLength = 200

/** Loaded pages of the last list, so that Back restores its length. */
let last: { readonly queryKey: string; readonly loaded: LoadedLogs } | null = null

/** Logs of the copy, page by page; null until the first page. */
function useLogPages(query: Query): LogPages | null {
  const queryKey = JSON.stringify(query)
  const commit = generation.value
  const [shown, setShown] = useState(last)
  const reading = useRef(false)
  const keep = useCallback(
    (loaded: LoadedLogs) => {
      last = { queryKey, loaded }
      setShown(last)
    },
    [queryKey],
  )
  useEffect(() => {
    let isCurrent = true
    const known = last?.queryKey === queryKey ? last.loaded.logs.length : 0
    firstPages(JSON.parse(queryKey) as Query, Math.max(known, pageLength)).then((loaded) => isCurrent && keep(loaded))
    return () => {
      isCurrent = false
    }
  }, [queryKey, commit, keep])
  const more = useCallback(() => {
    if (last?.queryKey !== queryKey || last.loaded.isWhole || reading.current) return
    reading.current = true
    pageBehind(JSON.parse(queryKey) as Query, last.loaded.logs).then((loaded) => {
      reading.current = false
      if (last?.queryKey === queryKey) keep(loaded)
    })
  }, [queryKey, keep])
  return shown?.queryKey === queryKey ? { ...shown.loaded, more } : null
}

async function firstPages(query: Query, limit: number): Promise<LoadedLogs> {
  const found = await logs({ ...query, limit })
  return { logs: found, isWhole: found.length < limit }
}

/** Reads the last second again: it may have more logs than shown. */
async function pageBehind(query: Query, known: readonly LocalRecord[]): Promise<LoadedLogs> {
  const end = known.at(-1)
  if (end === undefined) return { logs: known, isWhole: true }
  const second = timeOf(end)
  const again = known.filter((log) => timeOf(log) === second).length
  const limit = pageLength + again
  const found = await logs({ ...query, before: second + 1, limit })
  const seen = new Set(known.map(({ uuid }) => uuid))
  return { logs: [...known, ...found.filter(({ uuid }) => !seen.has(uuid))], isWhole: found.length < limit }
}

interface OlderLogsProps {
  readonly filters: Filters
  /** Logs of the copy, the newest first. */
  readonly known: readonly LocalRecord[]
}

interface Older {
  readonly logs: readonly LocalRecord[]
  readonly pages: number
  readonly isWhole: boolean
  readonly failure: Failure | null
}

const none: Older = { logs: [], pages: 0, isWhole: false, failure: null }

/** Logs that only the server has; requested at once if the copy has none. */
function OlderLogs({ filters, known }: OlderLogsProps): JSX.Element {
  const list = listOnServer(filters)
  const [older, setOlder] = useState(none)
  const isWhole = list === null || older.isWhole
  const more = async () => {
    if (list !== null) setOlder(await withNextPage(older, { list, known }))
  }
  const isBare = list !== null && known.length === 0 && older === none
  useEffect(() => {
    if (isBare) more()
  }, [isBare])
  if (isBare) return <Loading />
  return (
    <>
      {daysOf(older.logs, known.at(-1)).map((day) => (
        <DayOfLogs key={day.day} day={day} />
      ))}
      {older.failure !== null && <Failed failure={older.failure} onRetry={more} />}
      {isWhole && known.length + older.logs.length === 0 && <NothingFound filters={filters} />}
      {!isWhole && older.failure === null && (
        <p class="words">
          <button type="button" class="btn" onClick={more}>
            {say('records.older')}
          </button>
        </p>
      )}
    </>
  )
}

interface Behind {
  readonly list: string
  readonly known: readonly LocalRecord[]
}

/** Requests the last second of the copy again: the copy may not have all of it. */
async function withNextPage(older: Older, { list, known }: Behind): Promise<Older> {
  const query = new URLSearchParams(list.slice(list.indexOf('?')))
  const end = known.at(-1)
  if (end !== undefined) query.set('timestamp[le]', String(timeOf(end)))
  query.set('page', String(older.pages))
  const page = await logsAt(query, [...known, ...older.logs])
  if ('failure' in page) return { ...older, failure: page }
  return { logs: [...older.logs, ...page.logs], pages: older.pages + 1, isWhole: !page.hasMore, failure: null }
}
