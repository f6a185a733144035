import { useState } from 'preact/hooks'
import { idsIn, isDone, isOnFarm, type LocalRecord, partsIn, timeOf } from '../../store/record.ts'
import type { Failure } from '../../sync/request.ts'
import { now } from '../../words/format.ts'
import { olderLogs } from '../logs-on-server.ts'

interface MeasuredPoint {
  readonly at: number
  /** Value as recorded. */
  readonly text: string
  readonly value: number
  readonly log: string
}

/** Repeated measurements in one unit: weights in kg. */
export interface Series {
  /** Measure, label and unit, for the address. */
  readonly key: string
  readonly measure: string | null
  readonly label: string | null
  readonly unit: string
  /** The earliest first. */
  readonly points: readonly MeasuredPoint[]
}

/** From logs about this asset alone: a sum of several says nothing about one. The longest series first. */
export function seriesOf(asset: string, logs: readonly LocalRecord[]): readonly Series[] {
  const found = new Map<string, Series & { points: MeasuredPoint[] }>()
  for (const log of new Map(logs.map((one) => [one.uuid, one])).values()) {
    const about = idsIn(log.fields.asset)
    if (!isDone(log) || about.length !== 1 || about[0] !== asset) continue
    for (const quantity of partsIn(log.fields.quantity)) {
      const text = wordIn(quantity.value)
      if (text === null || !Number.isFinite(Number(text))) continue
      const kind = { measure: wordIn(quantity.measure), label: wordIn(quantity.label), unit: nameIn(quantity.unit) }
      const key = [kind.measure, kind.label, kind.unit].map((word) => word ?? '').join('|')
      const series = found.get(key) ?? { key, ...kind, points: [] }
      series.points.push({ at: timeOf(log), text, value: Number(text), log: log.id })
      found.set(key, series)
    }
  }
  const all = [...found.values()].filter(({ points }) => points.length > 1)
  for (const { points } of all) points.sort((one, other) => one.at - other.at)
  return all.sort((one, other) => other.points.length - one.points.length || one.key.localeCompare(other.key))
}

const wordIn = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

function nameIn(reference: unknown): string {
  return wordIn((reference as { name?: unknown } | undefined)?.name) ?? ''
}

export interface OlderMeasures {
  readonly logs: readonly LocalRecord[]
  readonly failure: Failure | null
  readonly isAsking: boolean
  /** Absent at the end. */
  readonly ask: (() => void) | undefined
}

interface OlderMeasuresState extends Pick<OlderMeasures, 'logs' | 'failure' | 'isAsking'> {
  /** Time of the next request; null at the end. */
  readonly next: number | null
}

/** Logs from before the copy, requested on demand for the chart. */
export function useOlderMeasures(asset: LocalRecord, localLogs: readonly LocalRecord[]): OlderMeasures {
  const [olderState, setOlder] = useState<OlderMeasuresState | null>(null)
  const { logs = [], failure = null, isAsking = false } = olderState ?? {}
  const ask = async () => {
    const from = olderState ?? { logs: [], next: timeOf(localLogs.at(-1) ?? { fields: { timestamp: now() } }) }
    setOlder({ ...from, failure: null, isAsking: true })
    setOlder(await allOlder(`asset=${asset.id}`, from))
  }
  return { logs, failure, isAsking, ask: olderState?.next === null || !isOnFarm(asset) ? undefined : ask }
}

async function allOlder(filter: string, from: Pick<OlderMeasuresState, 'logs' | 'next'>): Promise<OlderMeasuresState> {
  let { logs, next } = from
  while (next !== null) {
    const older = await olderLogs([filter], next)
    if (older.failure !== null) return { logs, next, failure: older.failure, isAsking: false }
    logs = [...logs, ...older.logs]
    next = older.next
  }
  return { logs, next, failure: null, isAsking: false }
}
