import { useEffect } from 'preact/hooks'
import { pageOf } from '../../look/address-of.ts'
import { beside } from '../../look/beside.ts'
import type { KeptRecord } from '../../store/record.ts'

/** Puts the first of a list beside it; null while the list is not read yet. */
export function useFirstBeside(records: readonly KeptRecord[] | null): void {
  const isRead = records !== null
  const first = records?.[0]
  const page = first === undefined ? null : pageOf(first)
  useEffect(() => {
    if (isRead) beside.value = page
  }, [isRead, page])
}
