import type { JSX } from 'preact'
import { textIn } from '../../form/rich-value.ts'
import { bundleOf } from '../../look/names.ts'
import type { KeptRecord } from '../../store/record.ts'
import { Downloads } from './downloads.tsx'
import { Note } from './note.tsx'
import { pathsIn } from './photos-of.ts'

interface NoteOfProps {
  readonly record: KeptRecord
  /** `notes` of logs, `description` of others. */
  readonly field: 'notes' | 'description'
}

export function NoteOf({ record, field }: NoteOfProps): JSX.Element | null {
  const text = textIn(record.fields[field])
  if (text.trim() === '') return null
  return (
    <section class="block">
      <h2 class="sub">{bundleOf(record)?.fields[field]?.label}</h2>
      <Note text={text} />
    </section>
  )
}

export function FilesOf({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  const paths = pathsIn(record.fields.files)
  if (paths.length === 0) return null
  return (
    <section class="block">
      <h2 class="sub">{bundleOf(record)?.fields.files?.label}</h2>
      <Downloads paths={paths} />
    </section>
  )
}
