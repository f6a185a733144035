import type { Edit, Entry } from './entry.ts'
import type { Fields } from './types.ts'

/** An entry as it would be without an edit that was merged into it; later edits of the same fields stay. */
export function withoutEdit(entry: Entry, set: string): Entry {
  const at = entry.edits.findIndex((edit) => edit.set === set)
  const undone = entry.edits[at]
  if (undone === undefined) return entry
  const body: Record<string, unknown> = { ...entry.body }
  const edits = entry.edits.toSpliced(at, 1)
  for (const [field, value] of Object.entries(undone.before)) {
    const later = edits.findIndex((edit, index) => index >= at && field in edit.before)
    const next = edits[later]
    if (next !== undefined) edits[later] = putBefore(next, field, value)
    else if (value === undefined) delete body[field]
    else body[field] = value
  }
  return { ...entry, body, edits, name: typeof body.name === 'string' ? body.name : entry.name }
}

const putBefore = (edit: Edit, field: string, value: unknown): Edit => ({
  ...edit,
  before: { ...edit.before, [field]: value } satisfies Fields,
})
