import { useEffect, useState } from 'preact/hooks'
import { generation, log } from '../../store/local-copy.ts'
import type { KeptRecord } from '../../store/record.ts'

interface ReadLog {
  readonly isRead: boolean
  readonly record: KeptRecord | undefined
}

/** A log of the copy by its number or UUID, once it is read. */
export function useReadLog(id: string | null): ReadLog {
  const [found, setFound] = useState<{ id: string | null; record: KeptRecord | undefined }>()
  const copy = generation.value
  useEffect(() => {
    let here = true
    if (id !== null)
      log(id).then((record) => {
        if (here) setFound({ id, record })
      })
    return () => {
      here = false
    }
  }, [id, copy])
  return found?.id === id ? { isRead: true, record: found?.record } : { isRead: false, record: undefined }
}
