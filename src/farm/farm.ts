import type { Fields } from '../fields/field.ts'
import type { ClientDeclaration } from './people/clients.ts'
import type { Scope } from './people/scopes.ts'

export type RecordTypeName = 'log' | 'asset' | 'term' | 'quantity'

/** The form of a bundle in /api, if it differs. */
interface NewerBundle {
  /** Default: its own name, for log types and vocabularies without `farm_`. */
  readonly name?: string
  readonly label?: string
  /** If several bundles share a name in /api: the field whose word decides which bundle stores a new record. */
  readonly by?: { readonly field: string; readonly word?: string }
  /** For a vocabulary that a plain farm does not have in /api; `only: 'newer'` implies it. */
  readonly linked?: 'from its first term'
}

/** Reports that count logs of certain types. */
export type ReportName = 'harvest' | 'inputs'

/** A log type, an asset type, a vocabulary or a quantity type. */
export interface Bundle {
  readonly label: string
  readonly plural: string
  readonly fields: Fields
  readonly newer?: NewerBundle
  /** 1.x does not show it until a record of it exists. */
  readonly only?: 'newer'
  /** For such a bundle: `POST /batch` may create its first record, and `/catalogue.json` always has it. */
  readonly first?: 'in a batch'
  /** For a log type: the report that counts its logs. */
  readonly report?: ReportName
}

export interface Vocabulary extends Bundle {
  /** The vocabulary's title in a list of vocabularies. */
  readonly title: string
  readonly description: string
  /** Names of the terms of a new farm. */
  readonly firstTerms?: readonly string[]
  /** Its terms are assets of these types in /api. */
  readonly kinds?: AreaKinds
}

/** Asset types of areas in /api, by name. Default: the first, unless the area type names another. */
type AreaKinds = Readonly<Record<string, AreaKind>>

export interface AreaKind {
  readonly label: string
  readonly plural: string
  /** The field that shows the area type in /api; missing if the kind says it all. */
  readonly typeField?: { readonly name: string; readonly label: string }
}

export interface RecordType<B extends Bundle = Bundle> {
  readonly name: RecordTypeName
  /** Names of the id and the bundle on the wire. */
  readonly idName: 'id' | 'tid'
  readonly bundleName: 'type' | 'vocabulary'
  /** Fields of every bundle of this type. */
  readonly properties: Fields
  readonly bundles: Readonly<Record<string, B>>
}

export interface Choice {
  readonly value: string
  readonly label: string
  /** The word in /api, if it differs. */
  readonly newer?: string
  /** 1.x does not have the word. */
  readonly only?: 'newer'
  /** For an area type: its asset type in /api, if not the first. */
  readonly kind?: string
  /** For an area type: further asset types with this word. The actual one is stored beside it. */
  readonly alsoKind?: readonly string[]
}

export interface Language {
  readonly language: string
  readonly name: string
  readonly native: string
  readonly direction: 0 | 1
}

/** Everything that can be recorded on this farm: one value, built at start from the stock farm and the modules. */
export interface Farm {
  readonly records: {
    readonly log: RecordType
    readonly asset: RecordType
    readonly term: RecordType<Vocabulary>
    /** Quantities have types in /api only. A quantity that a log took is a part of that log. */
    readonly quantity: RecordType
  }
  /** The words of choice fields: `flags`, `area_types`, `measures`, … */
  readonly lists: Readonly<Record<string, readonly Choice[]>>
  readonly languages: readonly Language[]
  readonly scopes: readonly Scope[]
  readonly clients: readonly ClientDeclaration[]
  /** Additions of modules to the info record. */
  readonly info: Readonly<Record<string, unknown>>
}
