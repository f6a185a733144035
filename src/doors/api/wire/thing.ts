import type { RecordTypeName } from '../../../farm/farm.ts'

/** What a resource stands for: a record, a user, a file, or a word of the catalogue. */
export type Thing = NumberedThing | ConfigThing

export interface NumberedThing {
  readonly of: RecordTypeName | 'user' | 'file'
  readonly id: number
  /** What a relationship says of its target beside who it is. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** What a relationship shows a file as. */
  readonly as?: 'image' | 'file'
}

/** A word of the catalogue under which records are kept: a log type, a vocabulary, … */
export interface ConfigThing {
  readonly of: 'config'
  /** `log_type--log_type` */
  readonly type: string
  readonly id: string
}

export const isConfig = (thing: Thing): thing is ConfigThing => thing.of === 'config'

export const keyOf = (thing: Thing): string =>
  thing.of === 'config' ? `${thing.type} ${thing.id}` : `${thing.of} ${thing.id}`

export const thingsOf = (of: NumberedThing['of'], ids: unknown): readonly NumberedThing[] =>
  // Fields of the catalogue that refer hold numbers, one or several.
  (Array.isArray(ids) ? ids : ids === undefined ? [] : [ids]).map((id) => ({ of, id: Number(id) }))

/** What a relationship leads to: one thing or none, or several. */
export type Targets = Thing | null | readonly Thing[]

export const listOf = (targets: Targets | undefined): readonly Thing[] =>
  targets === undefined || targets === null ? [] : Array.isArray(targets) ? targets : [targets as Thing]

/** A resource, before it is known what its targets are called. */
export interface Drawn {
  readonly thing: Thing
  /** `asset--land` */
  readonly type: string
  readonly id: string
  /** Of what has revisions. */
  readonly revision?: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Readonly<Record<string, Targets>>
}
