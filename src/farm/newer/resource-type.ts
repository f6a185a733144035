import type { Field } from '../../fields/field.ts'
import type { RecordTypeName } from '../farm.ts'

/** Families of resources that hold records. */
export type Family = 'asset' | 'log' | 'quantity' | 'taxonomy_term'

/** One resource type of /api. */
export interface ResourceType {
  /** Such as `log--harvest`. */
  readonly name: string
  readonly family: Family
  readonly bundle: string
  readonly label: string
  readonly description?: string
  readonly record: RecordTypeName
  /** Usually one. */
  readonly bundles: readonly string[]
  /** For areas: the asset type that the area type names. */
  readonly kind?: string
  /** The installation has it only once there is a record of it. */
  readonly only?: 'newer'
  readonly members: ReadonlyMap<string, Member>
}

/** An attribute or a relationship of a resource; references and files are relationships. */
export interface Member {
  readonly name: string
  /** The field as shown: label, required, target. */
  readonly field: Field
  readonly source: MemberSource
  /** For a relationship: the resource types it may point to. */
  readonly targets?: readonly string[]
  /** The default of a new record. */
  readonly default?: string | true
  /** An ignored member may be sent without effect. */
  readonly given: 'taken' | 'ignored'
  /** Another name, accepted in bodies and queries. */
  readonly alias?: string
  /** Accepted, but never shown. */
  readonly shown?: 'never'
}

type MemberSource =
  /** A field of the record, or its negation. */
  | { readonly of: 'field'; readonly field: string; readonly opposite?: true }
  /** Two fields of the record: to assets, and to areas. */
  | { readonly of: 'two fields'; readonly assets: string; readonly areas: string }
  /** Metadata of the service. */
  | { readonly of: 'note'; readonly note: ServiceNote }
  /** Several fields together, or a computed value. */
  | { readonly of: 'rule'; readonly rule: MemberRule }

export type ServiceNote =
  | 'number'
  | 'revision'
  | 'language'
  | 'yes'
  | 'created'
  | 'changed'
  | 'author'
  | 'reviser'
  | 'bundle'

/** Members that are not simply one renamed field (doors/api/documents/member-rules.ts). */
export type MemberRule =
  | 'log status'
  | 'moves'
  | 'log location'
  | 'log geometry'
  | 'assigns groups'
  | 'assigned groups'
  | 'log assets'
  | 'log quantities'
  | 'asset status'
  | 'archived'
  | 'last archived'
  | 'asset location'
  | 'asset geometry'
  | 'asset groups'
  | 'inventory'
  | 'area type'
  | 'drawn geometry'
  | 'description'
  | 'fraction'

export const isRelationship = ({ field }: Pick<Member, 'field'>): boolean =>
  field.kind === 'reference' || field.kind === 'attachment'
