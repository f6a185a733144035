import type { SeparatorName } from './sheet-text.ts'

/** One thing that is wrong with a sheet (docs/sheets.md). */
export interface SheetFault {
  /** The header, or the name of a field that has no column. */
  readonly column: string
  readonly value: string
  readonly message: string
  readonly allowed?: readonly string[]
}

export type Result = 'created' | 'changed' | 'unchanged' | 'fault'

export interface RowTold {
  readonly row: number
  readonly to_row?: number
  readonly result: Result
  readonly faults?: readonly SheetFault[]
}

export interface ColumnFound {
  readonly column: string
  readonly field: string
  readonly dates?: string
  readonly decimal?: string
}

export interface FoundOut {
  readonly encoding: string
  readonly separator: SeparatorName
  readonly head_row: number
  readonly columns: readonly ColumnFound[]
}

/** How many became what; of new logs also how many are done, and how many planned. */
export type Counts = Readonly<Partial<Record<Result | 'done' | 'planned', number>>>

/** Terms that would be made because something names them. */
export type WouldCreate = readonly { readonly name: string }[]

/** What the farm says of a sheet, be it taken or refused. */
export interface SheetAnswer {
  readonly counts: Counts & { readonly faults?: number; readonly not_told?: number }
  readonly found: FoundOut
  readonly rows: readonly RowTold[]
  readonly would_create?: WouldCreate
}

/** What the farm says of a map (docs/maps.md). */
export interface MapAnswer {
  readonly counts: Counts
  readonly left_out: readonly { readonly what: string; readonly count: number }[]
  readonly would_create?: WouldCreate
  readonly features: readonly MapFeature[]
}

export interface MapFeature {
  /** Its number in the map; nothing where it is made because others lie in it. */
  readonly feature?: number
  readonly name: string
  readonly result: Result
  /** The map has no name for it: the farm gave it one. */
  readonly named?: boolean
  readonly faults?: readonly Fault[]
}

export interface Fault {
  readonly field: string
  readonly message: string
  readonly allowed?: readonly string[]
}
