import type { Fields } from '../fields/field.ts'
import type { ClientDeclaration } from './people/clients.ts'
import type { Scope } from './people/scopes.ts'

export type RecordTypeName = 'log' | 'asset' | 'term'

/** A log type, an asset type or a vocabulary. */
export interface Bundle {
  readonly label: string
  readonly plural: string
  readonly fields: Fields
}

export interface Vocabulary extends Bundle {
  /** The vocabulary's own title, as a list of vocabularies shows it. */
  readonly title: string
  readonly description: string
  /** Names of the terms that a fresh farm has. */
  readonly firstTerms?: readonly string[]
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
  }
  /** The words that choice fields choose from: `flags`, `area_types`, `measures`, … */
  readonly lists: Readonly<Record<string, readonly Choice[]>>
  readonly languages: readonly Language[]
  readonly scopes: readonly Scope[]
  readonly clients: readonly ClientDeclaration[]
  /** What modules add to the info record. */
  readonly info: Readonly<Record<string, unknown>>
}
