import { useEffect, useState } from 'preact/hooks'
import { generation, type LogQuery, logs } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'

/** Logs of the copy, read again on each change; null until the first read. */
export function useLogs(query: LogQuery): readonly LocalRecord[] | null {
  const key = JSON.stringify(query)
  return useCopy(() => logs(JSON.parse(key) as LogQuery), key)
}

/** Reads the copy again on each change of it or of the key; null until the first read. */
export function useCopy<T>(read: () => Promise<T>, key = ''): T | null {
  const [found, setFound] = useState<T | null>(null)
  const commit = generation.value
  useEffect(() => {
    let isCurrent = true
    read().then((now) => {
      if (isCurrent) setFound(() => now)
    })
    return () => {
      isCurrent = false
    }
  }, [key, commit])
  return found
}
