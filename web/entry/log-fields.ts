import type { KeptRecord, RecordFields } from '../store/record.ts'

/** When something happened, or is to happen, and by whom. */
export type Timing =
  | { readonly kind: 'done'; readonly at: number }
  /** For anybody where the person is null; for the author, as the farm sees it, where nothing is said of it. */
  | { readonly kind: 'planned'; readonly at: number; readonly person?: string | null }

/** What every entry says. */
export function logFields(name: string, timing: Timing): RecordFields {
  return {
    name,
    timestamp: String(timing.at),
    done: timing.kind === 'done' ? '1' : '0',
    ...(timing.kind === 'planned' && ownerIn(timing.person)),
  }
}

function ownerIn(person: string | null | undefined): RecordFields {
  if (person === undefined) return {}
  return { log_owner: person === null ? [] : [{ id: person }] }
}

/** By number; what has none yet by its UUID. */
export const refTo = ({ id, uuid }: Pick<KeptRecord, 'id' | 'uuid'>): RecordFields => (id === uuid ? { uuid } : { id })

export const refsTo = (records: readonly Pick<KeptRecord, 'id' | 'uuid'>[]): readonly RecordFields[] =>
  records.map(refTo)

/** A list of references, or no field where there are none. */
export function refsIn(field: 'asset' | 'area' | 'material', records: readonly KeptRecord[]): RecordFields {
  return records.length === 0 ? {} : { [field]: refsTo(records) }
}

export const noteIn = (note: string): RecordFields => (note.trim() === '' ? {} : { notes: { value: note.trim() } })
