import { useEffect, useState } from 'preact/hooks'
import { generation, log } from '../store/local-copy.ts'
import type { KeptRecord } from '../store/record.ts'

/** The log that was saved: null until it is read, undefined once it is gone. */
export function useSavedLog(uuid: string): KeptRecord | null | undefined {
  const logs = useSavedLogs(uuid)
  return logs === null ? null : logs[0]
}

/** The same of several, by their UUIDs with commas. */
export function useSavedLogs(uuids: string): readonly KeptRecord[] | null {
  const [found, setFound] = useState<readonly KeptRecord[] | null>(null)
  const commit = generation.value
  useEffect(() => {
    let isWanted = true
    Promise.all(uuids.split(',').map(log)).then((read) => {
      if (isWanted) setFound(read.filter((one) => one !== undefined))
    })
    return () => {
      isWanted = false
    }
  }, [uuids, commit])
  return found
}
