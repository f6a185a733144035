import type { Fields } from '../fields/field.ts'
import type { ClientDeclaration } from './people/clients.ts'
import type { Scope } from './people/scopes.ts'

export type RecordTypeName = 'log' | 'asset' | 'term' | 'quantity'

/** How the newer generation of the interface (`/api`) has a bundle, where that differs. */
interface NewerBundle {
  /** Its name there; without it, its own, log types and vocabularies without `farm_`. */
  readonly name?: string
  readonly label?: string
  /** Where several bundles have one name there: the field whose word tells which one a new record is kept as. */
  readonly by?: { readonly field: string; readonly word?: string }
  /** Of a vocabulary that a plain farm does not have there; one that is `only: 'newer'` is linked so, too. */
  readonly linked?: 'from its first term'
}

/** The reports that count logs of certain types. */
export type ReportName = 'harvest' | 'inputs'

/** A log type, an asset type, a vocabulary or a quantity type. */
export interface Bundle {
  readonly label: string
  readonly plural: string
  readonly fields: Fields
  readonly newer?: NewerBundle
  /** The record interface does not have it until there is a record of it. */
  readonly only?: 'newer'
  /** Of a log type: the report that counts its logs. */
  readonly report?: ReportName
}

export interface Vocabulary extends Bundle {
  /** The vocabulary's own title, as a list of vocabularies shows it. */
  readonly title: string
  readonly description: string
  /** Names of the terms that a fresh farm has. */
  readonly firstTerms?: readonly string[]
  /** Its terms are assets in the newer generation, of one of these types. */
  readonly kinds?: AreaKinds
}

/** The asset types that areas are in the newer generation, by name: the first, unless their area type says another. */
type AreaKinds = Readonly<Record<string, AreaKind>>

export interface AreaKind {
  readonly label: string
  readonly plural: string
  /** What shows the area type there; without it the kind says all. */
  readonly typeField?: { readonly name: string; readonly label: string }
}

export interface RecordType<B extends Bundle = Bundle> {
  readonly name: RecordTypeName
  /** What the record's id and bundle are called on it. */
  readonly idName: 'id' | 'tid'
  readonly bundleName: 'type' | 'vocabulary'
  /** What every record of this type has, whatever its bundle. */
  readonly properties: Fields
  readonly bundles: Readonly<Record<string, B>>
}

export interface Choice {
  readonly value: string
  readonly label: string
  /** The word in the newer generation, where it is another. */
  readonly newer?: string
  /** The record interface has no such word. */
  readonly only?: 'newer'
  /** Of an area type: the kind of asset that such areas are in the newer generation, if not the first. */
  readonly kind?: string
  /** Of an area type: the kinds that have the word too. What the word does not tell is kept beside it. */
  readonly alsoKind?: readonly string[]
}

export interface Language {
  readonly language: string
  readonly name: string
  readonly native: string
  readonly direction: 0 | 1
}

/** Everything that can be recorded on this farm: one value, made at start from the stock farm and the installed modules. */
export interface Farm {
  readonly records: {
    readonly log: RecordType
    readonly asset: RecordType
    readonly term: RecordType<Vocabulary>
    /** What was measured, by types that only the newer generation tells apart; once a log has taken a quantity, it is a part of that log. */
    readonly quantity: RecordType
  }
  /** The words that choice fields choose from: `flags`, `area_types`, `measures`, … */
  readonly lists: Readonly<Record<string, readonly Choice[]>>
  readonly languages: readonly Language[]
  readonly scopes: readonly Scope[]
  readonly clients: readonly ClientDeclaration[]
  /** What modules add to the info record. */
  readonly info: Readonly<Record<string, unknown>>
}
