import { useEffect, useState } from 'preact/hooks'
import { generation, type LogQuery, logs } from '../store/local-copy.ts'
import type { KeptRecord } from '../store/record.ts'

/** Logs of the copy, read again on each change; null until the first read. */
export function useLogs(query: LogQuery): readonly KeptRecord[] | null {
  const [found, setFound] = useState<readonly KeptRecord[] | null>(null)
  const asked = JSON.stringify(query)
  const commit = generation.value
  useEffect(() => {
    let wanted = true
    logs(JSON.parse(asked) as LogQuery).then((records) => {
      if (wanted) setFound(records)
    })
    return () => {
      wanted = false
    }
  }, [asked, commit])
  return found
}
