import type { Field } from '../../fields/field.ts'
import type { RecordTypeName } from '../farm.ts'

/** The families of resources that hold records. */
export type Family = 'asset' | 'log' | 'quantity' | 'taxonomy_term'

/** One type of resource of the newer generation (`/api`). */
export interface ResourceType {
  /** `log--harvest` */
  readonly name: string
  readonly family: Family
  readonly bundle: string
  readonly label: string
  readonly description?: string
  /** Where its records are kept. */
  readonly record: RecordTypeName
  /** The bundles that are of this type: mostly one. */
  readonly bundles: readonly string[]
  /** Areas are of the type that their area type says. */
  readonly kind?: string
  /** Whether an installation has it only once there is a record of it. */
  readonly only?: 'newer'
  readonly members: ReadonlyMap<string, Member>
}

/** An attribute or a relationship of a resource: a reference or a file is a relationship. */
export interface Member {
  readonly name: string
  /** As it is shown: its label, whether it is required, what it refers to. */
  readonly field: Field
  readonly source: MemberSource
  /** Of a relationship: the names of the types that it may point to. */
  readonly targets?: readonly string[]
  /** What a new record says where its writer says nothing. */
  readonly default?: string | true
  /** Ignored when it is sent. */
  readonly given: 'taken' | 'ignored'
  /** Another name that it is taken and asked for under. */
  readonly alias?: string
  /** Taken, and never shown. */
  readonly shown?: 'never'
}

/** Where a member comes from. */
type MemberSource =
  /** A field of the record, or its opposite. */
  | { readonly of: 'field'; readonly field: string; readonly opposite?: true }
  /** Two fields of the record: to assets, and to areas. */
  | { readonly of: 'two fields'; readonly assets: string; readonly areas: string }
  /** What the service itself notes. */
  | { readonly of: 'note'; readonly note: ServiceNote }
  /** Several fields together, or what is computed. */
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

/** Members that are more than one field of a record under another name (doors/api/documents/member-rules.ts). */
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
