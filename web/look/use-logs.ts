import { useEffect, useState } from 'preact/hooks'
import { generation, type LogQuery, logs } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'

/** Logs of the copy, read again on each change; null until the first read. */
export function useLogs(query: LogQuery): readonly LocalRecord[] | null {
  const [records, setRecords] = useState<readonly LocalRecord[] | null>(null)
  const queryKey = JSON.stringify(query)
  const commit = generation.value
  useEffect(() => {
    let isCurrent = true
    logs(JSON.parse(queryKey) as LogQuery).then((found) => {
      if (isCurrent) setRecords(found)
    })
    return () => {
      isCurrent = false
    }
  }, [queryKey, commit])
  return records
}
