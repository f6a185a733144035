import { useEffect, useState } from 'preact/hooks'
import { generation } from '../store/local-copy.ts'
import { idsIn, type KeptRecord } from '../store/record.ts'
import { searchLogs } from '../store/search.ts'

import { nameOfAsset } from './asset-name.ts'
import { listed } from './names.ts'

export interface LotElsewhere {
  readonly lot: string
  readonly what: string
}

/** Whether the lot of a harvest is that of another planting, too. */
export function useLotElsewhere(log: KeptRecord): LotElsewhere | null {
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

export const lotOf = ({ fields }: KeptRecord): string =>
  typeof fields.lot_number === 'string' ? fields.lot_number : ''

export function otherWith(lot: string, log: KeptRecord, found: readonly KeptRecord[]): LotElsewhere | null {
  const own = idsIn(log.fields.asset)
  const other = found.find(
    ({ uuid, bundle, fields }) =>
      uuid !== log.uuid &&
      bundle === 'farm_harvest' &&
      fields.lot_number === lot &&
      !idsIn(fields.asset).some((id) => own.includes(id)),
  )
  return other === undefined ? null : { lot, what: listed(idsIn(other.fields.asset).map(nameOfAsset)) }
}
