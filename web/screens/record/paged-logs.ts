import { useEffect, useState } from 'preact/hooks'
import { wide } from '../../look/desk.ts'
import { useCopy } from '../../look/use-logs.ts'
import { type LogQuery, log, logs } from '../../store/local-copy.ts'
import { type LocalRecord, timeOf } from '../../store/record.ts'
import type { Failure } from '../../sync/request.ts'
import { status } from '../../sync/status.ts'
import { now } from '../../words/format.ts'
import { olderLogs } from '../logs-on-server.ts'

export interface LogsSoFar {
  /** Done logs, the newest first; null until read. */
  readonly logs: readonly LocalRecord[] | null
  readonly failure: Failure | null
  readonly isAsking: boolean
  /** Absent at the end. */
  readonly showMore: (() => void) | undefined
}

type Query = Pick<LogQuery, 'asset' | 'area' | 'from' | 'before'>

interface About {
  /** Queries of the copy; a log matches any of them. */
  readonly queries: readonly Query[]
  /** The same as server filters; null if the record is not on the server yet. */
  readonly filters: ((upTo: number) => Promise<readonly string[]>) | null
}

interface Older {
  readonly logs: readonly LocalRecord[]
  /** Time of the next request; null at the end. */
  readonly next: number | null
  readonly failure: Failure | null
}

/** Rows per page; a phone shows other content below. */
const page = () => (wide.peek() ? 40 : 12)

/** Pages of the copy first, then of the server. */
export function useLogsSoFar({ queries, filters }: About): LogsSoFar {
  const [wanted, setWanted] = useState(page)
  const [older, setOlder] = useState<Older | null>(null)
  const [isAsking, setAsking] = useState(false)
  const localLogs = useDoneLogs(queries, wanted + 1)
  const askOlder = async () => {
    if (filters === null) return
    const last = localLogs?.at(-1)
    const upTo = older?.next ?? (last === undefined ? now() : timeOf(last))
    setAsking(true)
    const answer = await olderLogs(await filters(upTo), upTo)
    setAsking(false)
    setOlder({ ...answer, logs: [...(older?.logs ?? []), ...answer.logs] })
  }
  const hasNone = filters !== null && localLogs?.length === 0 && older === null && !isStillLoading()
  useEffect(() => {
    if (hasNone) askOlder()
  }, [hasNone])
  if (localLogs === null) return { logs: null, failure: null, isAsking, showMore: undefined }
  if (localLogs.length > wanted) {
    const showMore = () => setWanted(wanted + page())
    return { logs: localLogs.slice(0, wanted), failure: null, isAsking, showMore }
  }
  return {
    logs: newestOf([...localLogs, ...(older?.logs ?? [])]),
    failure: older?.failure ?? null,
    isAsking,
    showMore: filters === null || older?.next === null ? undefined : askOlder,
  }
}

function useDoneLogs(queries: readonly Query[], limit: number): readonly LocalRecord[] | null {
  const lists = () => Promise.all(queries.map((query) => logs({ ...query, done: true, limit })))
  return useCopy(async () => newestOf((await lists()).flat()).slice(0, limit), JSON.stringify([queries, limit]))
}

function newestOf(some: readonly LocalRecord[]): readonly LocalRecord[] {
  const once = new Map(some.map((log) => [log.uuid, log]))
  return [...once.values()].sort((one, other) => timeOf(other) - timeOf(one) || Number(other.id) - Number(one.id))
}

interface ReadLog {
  readonly isRead: boolean
  readonly record: LocalRecord | undefined
}

/** A log of the copy by number or UUID. */
export function useReadLog(id: string | null): ReadLog {
  const found = useCopy(async () => ({ id, record: id === null ? undefined : await log(id) }), id ?? '')
  return found !== null && found.id === id && id !== null
    ? { isRead: true, record: found.record }
    : { isRead: false, record: undefined }
}

/** During the first load a missing record may still arrive. */
export function isStillLoading(): boolean {
  const { kind } = status.value
  return kind === 'starting' || kind === 'loading'
}
