import { useEffect, useState } from 'preact/hooks'
import { generation } from '../store/local-copy.ts'
import { idsIn, type LocalRecord } from '../store/record.ts'
import { searchLogs } from '../store/search.ts'
import { dayOfYear, isoDay } from '../words/format.ts'
import { nameOfAsset, shortList } from './entry-words.ts'

/** "2026-167-412": day of the year and number of the planting, or the start of its UUID before it has a number. */
export function suggestedLot(at: number, { id, uuid }: Pick<LocalRecord, 'id' | 'uuid'>): string {
  const planting = id === uuid ? uuid.slice(0, 4) : id
  return [isoDay(at).slice(0, 4), String(dayOfYear(at)).padStart(3, '0'), planting].join('-')
}

export interface LotElsewhere {
  readonly lot: string
  readonly what: string
}

/** Another planting with the same lot, if there is one. */
export function useLotElsewhere(log: LocalRecord): LotElsewhere | null {
  const [taken, setTaken] = useState<LotElsewhere | null>(null)
  const lot = lotOf(log)
  const commit = generation.value
  useEffect(() => {
    let isWanted = true
    searchLogs(lot).then((found) => {
      if (isWanted) setTaken(otherWith(lot, log, found))
    })
    return () => {
      isWanted = false
    }
  }, [lot, log.uuid, commit])
  return lot === '' ? null : taken
}

export const lotOf = ({ fields }: LocalRecord): string =>
  typeof fields.lot_number === 'string' ? fields.lot_number : ''

export function otherWith(lot: string, log: LocalRecord, found: readonly LocalRecord[]): LotElsewhere | null {
  const own = idsIn(log.fields.asset)
  const other = found.find(
    ({ uuid, bundle, fields }) =>
      uuid !== log.uuid &&
      bundle === 'farm_harvest' &&
      fields.lot_number === lot &&
      !idsIn(fields.asset).some((id) => own.includes(id)),
  )
  return other === undefined ? null : { lot, what: shortList(idsIn(other.fields.asset).map(nameOfAsset)) }
}
