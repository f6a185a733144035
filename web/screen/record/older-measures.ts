import { useState } from 'preact/hooks'
import { isOnFarm, type KeptRecord, timeOf } from '../../store/record.ts'

import type { Failure } from '../../sync/request.ts'
import { now } from '../../words/format.ts'
import { olderLogs } from './older-logs.ts'

export interface OlderMeasures {
  readonly logs: readonly KeptRecord[]
  readonly failure: Failure | null
  readonly isAsking: boolean
  /** Absent where there is nothing more. */
  readonly ask: (() => void) | undefined
}

interface Asked extends Pick<OlderMeasures, 'logs' | 'failure' | 'isAsking'> {
  /** Up to which time to ask next; null at the end. */
  readonly next: number | null
}

/** Logs about an asset from before the copy, for the line of what was measured: asked for when somebody wants them. */
export function useOlderMeasures(asset: KeptRecord, kept: readonly KeptRecord[]): OlderMeasures {
  const [asked, setAsked] = useState<Asked | null>(null)
  const { logs = [], failure = null, isAsking = false } = asked ?? {}
  const ask = async () => {
    const from = asked ?? { logs: [], next: timeOf(kept.at(-1) ?? { fields: { timestamp: now() } }) }
    setAsked({ ...from, failure: null, isAsking: true })
    setAsked(await allOlder(`asset=${asset.id}`, from))
  }
  return { logs, failure, isAsking, ask: asked?.next === null || !isOnFarm(asset) ? undefined : ask }
}

async function allOlder(filter: string, from: Pick<Asked, 'logs' | 'next'>): Promise<Asked> {
  let { logs, next } = from
  while (next !== null) {
    const older = await olderLogs([filter], next)
    if (older.failure !== null) return { logs, next, failure: older.failure, isAsking: false }
    logs = [...logs, ...older.logs]
    next = older.next
  }
  return { logs, next, failure: null, isAsking: false }
}
