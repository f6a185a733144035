import type { Right, RoleName } from '../../farm/people/roles.ts'
import type { ComputedRule, FieldKind } from '../../fields/field.ts'
import type { MapLayer } from '../../storage/map-layers.ts'

/** The types of records as addresses and references spell them. */
export type ResourceName = 'log' | 'farm_asset' | 'taxonomy_term' | 'quantity' | 'taxonomy_vocabulary' | 'user'

/** A field as the record interface has it. What is not said is not so. */
export interface CatalogueField {
  readonly label: string
  readonly kind: FieldKind
  readonly required?: true
  /** A list of values, not one. */
  readonly many?: true
  /** Set by the service. */
  readonly read_only?: true
  /** Worked out from the logs, by this rule. */
  readonly computed?: ComputedRule
  /** Shown only to readers who ask for it (`?with=`). */
  readonly on_request?: true
  /** Of a reference: what it points to. */
  readonly to?: ResourceName
  /** Of a reference: the types or the vocabulary it points into; `own` is the vocabulary of the term itself. Without it any. */
  readonly within?: readonly string[] | 'own'
  /** Of a choice: which of the `lists`. */
  readonly list?: string
  /** Of a choice: other words are taken, too. */
  readonly open?: true
  /** Of an attachment. */
  readonly accepts?: 'image' | 'any'
  readonly max_length?: number
  readonly min?: number
  readonly max?: number
  /** Of a part. */
  readonly fields?: CatalogueFields
}

export type CatalogueFields = Readonly<Record<string, CatalogueField>>

/** A log type, an asset type or a vocabulary. */
export interface CatalogueBundle {
  readonly label: string
  readonly plural: string
  /** Of a vocabulary: the number that terms refer to it by. */
  readonly id?: string
  readonly fields: CatalogueFields
}

interface CatalogueChoice {
  readonly value: string
  readonly label: string
}

/** What can be recorded on this farm: `/catalogue.json`. */
export interface CatalogueDocument {
  readonly catalogue: string
  readonly types: Readonly<Record<'log' | 'farm_asset' | 'taxonomy_term', Readonly<Record<string, CatalogueBundle>>>>
  /** The words that choices choose from: `flags`, `measures`, `area_types`, … */
  readonly lists: Readonly<Record<string, readonly CatalogueChoice[]>>
}

export type { MapLayer } from '../../storage/map-layers.ts'

/** Who is asking, and the farm that is asked: `/me.json`. */
export interface Me {
  readonly account: {
    readonly id: string
    readonly name: string
    readonly role: RoleName | null
    readonly language: string
  }
  readonly rights: readonly Right[]
  /** For changes with the cookie of a session; null where none are made so. */
  readonly csrf_token: string | null
  readonly farm: {
    /** The same after a restore, unlike the edition. */
    readonly uuid: string
    readonly name: string
    readonly system_of_measurement: 'metric' | 'us'
    readonly timezone: string
    readonly language: string
    readonly languages: readonly string[]
  }
  readonly map_layers: readonly MapLayer[]
  /** Unix seconds, in digits. */
  readonly time: string
  readonly edition: string
  readonly catalogue: string
  readonly version: string
}
