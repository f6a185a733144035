import type { ComponentChildren } from 'preact'
import type { RecordFields } from '../store/record.ts'
import type { Fault } from './control.ts'
import type { Subject } from './subject.ts'
import type { Written } from './written.ts'

export interface RecordFormProps {
  readonly subject: Subject
  /** What is filled in already. */
  readonly given?: RecordFields
  /** Under which name drafts are kept; null for a form within another, whose draft it is part of. */
  readonly draft: string | null
  /** What the server found wrong, at its fields. */
  readonly found?: readonly Fault[]
  readonly onSave: (written: Written) => Promise<void>
  /** What is not asked for, but shown. */
  readonly children?: ComponentChildren
}
