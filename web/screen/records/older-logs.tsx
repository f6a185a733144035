import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { Loading } from '../../look/loading.tsx'
import { timeOf } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import type { Failure } from '../../sync/ask.ts'
import { DayOfLogs } from './day-of-logs.tsx'
import { daysOf } from './days.ts'
import { type Filters, listOnServer } from './filters.ts'
import { logsAt } from './logs-on-server.ts'
import { NothingFound } from './nothing-found.tsx'
import { say } from './say.ts'

interface OlderLogsProps {
  readonly filters: Filters
  /** Those that the copy has, the newest first. */
  readonly known: readonly KeptRecord[]
}

interface Older {
  readonly logs: readonly KeptRecord[]
  readonly pages: number
  readonly isWhole: boolean
  readonly failure: Failure | null
}

const none: Older = { logs: [], pages: 0, isWhole: false, failure: null }

/** Behind the end of the copy: logs that only the server has. Where the copy has none it is asked at once. */
export function OlderLogs({ filters, known }: OlderLogsProps): JSX.Element {
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
  readonly known: readonly KeptRecord[]
}

/** The second in which the copy ends is asked for again: the copy may not have all of it. */
async function withNextPage(older: Older, { list, known }: Behind): Promise<Older> {
  const query = new URLSearchParams(list.slice(list.indexOf('?')))
  const end = known.at(-1)
  if (end !== undefined) query.set('timestamp[le]', String(timeOf(end)))
  query.set('page', String(older.pages))
  const page = await logsAt(query, [...known, ...older.logs])
  if ('failure' in page) return { ...older, failure: page }
  return { logs: [...older.logs, ...page.logs], pages: older.pages + 1, isWhole: !page.hasMore, failure: null }
}
