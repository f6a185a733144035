export type { Catalogue } from '../../src/doors/web/catalogue.ts'
export type { Me } from '../../src/doors/web/me.ts'

export type RecordType = 'log' | 'asset' | 'term'

/** What a record says, spelled as the record interface spells it, without addresses of it and without what is empty. */
export type Fields = Readonly<Record<string, unknown>>

export interface KeptRecord {
  readonly uuid: string
  readonly type: RecordType
  /** The number that the server has given it; until then its UUID. */
  readonly id: string
  /** `farm_harvest`, `animal`, `farm_areas`: the type of a log or an asset, the vocabulary of a term. */
  readonly bundle: string
  readonly name: string
  readonly version: string
  /** Of an archived asset only `archived`; ask the server for the rest. */
  readonly fields: Fields
  /** Of an archived asset with unsent changes: the rest is still to be asked for. */
  readonly onlyName?: true
  /** Something of it is not sent yet. */
  readonly waiting?: true
}

export type StayKind = 'movement' | 'membership'

/** Times are Unix seconds; `until` is null while the stay lasts, `place` where a movement gives only a geometry. */
export interface Stay {
  readonly asset: string
  readonly place: string | null
  readonly placeType: 'area' | 'asset' | null
  readonly log: string
  readonly from: number
  readonly until: number | null
  /** The log that says so is not sent yet. */
  readonly waiting?: true
}
