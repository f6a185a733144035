import type { JSX } from 'preact'
import { type KeptRecord, timeOf } from '../../store/record.ts'

import { When } from '../list/when.tsx'
import { LoggedRow } from './day-of-logs.tsx'
import { NameRow } from './name-row.tsx'

/** A row of any kind, on its own: a log says its day. */
export function FoundRow({ record }: { readonly record: KeptRecord }): JSX.Element {
  return record.type === 'log' ? (
    <LoggedRow log={record} at={<When at={timeOf(record)} />} />
  ) : (
    <NameRow record={record} />
  )
}
