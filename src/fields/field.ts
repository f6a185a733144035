/** The description of one field. The catalogue (farm/) is made of these; every other room derives from them. */

/** Values computed from logs. */
export type ComputedRule =
  | 'location'
  | 'geometry'
  | 'contents'
  | 'groups'
  | 'members'
  | 'inventory'
  | 'withheld'
  | 'withheld-area'

/** The form of a field in /api, if it differs from 1.x. */
export interface NewerField {
  /** Its name there; without it, its own. */
  readonly name?: string
  readonly label?: string
  /** Required in 1.x only. */
  readonly required?: false
  /** The default of a new record in /api. */
  readonly default?: string | true
  /** Kept as the opposite of what is shown there, so that those who say nothing have a yes. */
  readonly opposite?: true
  /** Wider targets in /api. */
  readonly within?: 'any'
  /** Another name, accepted in bodies and queries. */
  readonly alias?: string
  /** Not a member of its own there: others show it together with what stands beside it (docs/json-api.md). */
  readonly joined?: true
}

interface Traits {
  readonly label: string
  readonly newer?: NewerField
  /** 1.x does not have the word. */
  readonly only?: 'newer'
  /** Holds only what that field of the same record holds, where it has that field: every change trims it. */
  readonly cutTo?: string
  /** Says more of that field beside it, and is gone when that changes, unless it is given again. */
  readonly about?: string
  /** Belongs to one revision of a record and goes with the next. */
  readonly ofRevision?: true
  readonly required?: true
  /** Set by the service, never by a writer. */
  readonly readOnly?: true
  /** Worked out from the logs when it is read, by this rule (see history/computed-rules.ts). */
  readonly computed?: ComputedRule
  /** Shown only to readers who ask for it (`?with=`). */
  readonly onRequest?: true
}

export interface TextField extends Traits {
  readonly kind: 'text'
  readonly many?: true
  readonly maxLength: number
}

/** Free text of any shape, kept to the letter. */
export interface LongTextField extends Traits {
  readonly kind: 'long-text'
  readonly maxLength: number
  /** Also accepts `{value, format}` and keeps the value; an empty one reads as an empty string. */
  readonly takesRich?: true
}

export interface RichTextField extends Traits {
  readonly kind: 'rich-text'
}

export interface TimestampField extends Traits {
  readonly kind: 'timestamp'
  /** The value of an unset field, where unset has a number of its own (`archived`: 0). */
  readonly unset?: 0
}

export interface PeriodField extends Traits {
  readonly kind: 'period'
}

export interface YesNoField extends Traits {
  readonly kind: 'yes-no'
  /** Inside a part: counts only where the part says nothing else. */
  readonly alone?: true
  /** The record interface spells it "1" and "0", not true and false. */
  readonly asDigit?: true
}

export interface WholeField extends Traits {
  readonly kind: 'whole'
  readonly min: number
  readonly max: number
}

export interface DecimalField extends Traits {
  readonly kind: 'decimal'
}

/** A choice under the name and label of a yes or no, and the words that stand for those. */
interface AsYesNo {
  readonly name: string
  readonly label: string
  readonly yes: string
  readonly no: string
}

/** A word from one of the farm's lists; an open list suggests words and takes others. */
export interface ChoiceField extends Traits {
  readonly kind: 'choice'
  readonly many?: true
  readonly list: string
  readonly open?: true
  /** The boolean form for 1.x clients. */
  readonly asYesNo?: AsYesNo
}

export type ReferableType = 'log' | 'asset' | 'term' | 'quantity' | 'vocabulary' | 'user'

export interface ReferenceField extends Traits {
  readonly kind: 'reference'
  readonly many?: true
  readonly to: ReferableType
  /** The asset types or the one vocabulary it may point into; `own` is the vocabulary of the term itself. Absent: any. */
  readonly within?: readonly string[] | 'own'
  /** The field beside it that keeps what the newer generation refers to in the same breath: assets here, areas there. */
  readonly also?: string
  /** The text beside it that the name of its target goes into, where nothing stands there. */
  readonly fills?: string
}

export interface GeometryField extends Traits {
  readonly kind: 'geometry'
  readonly many?: true
}

export interface AttachmentField extends Traits {
  readonly kind: 'attachment'
  readonly many: true
  readonly accepts: 'image' | 'any'
}

/** A group of fields that lives and dies with its record. */
export interface PartField extends Traits {
  readonly kind: 'part'
  readonly many?: true
  readonly fields: Fields
}

export type Field =
  | TextField
  | LongTextField
  | RichTextField
  | TimestampField
  | PeriodField
  | YesNoField
  | WholeField
  | DecimalField
  | ChoiceField
  | ReferenceField
  | GeometryField
  | AttachmentField
  | PartField

export type FieldKind = Field['kind']
export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>
export type Fields = Readonly<Record<string, Field>>

/** The names of the fields that are so. */
export const namesWhere = (fields: Fields, isSo: (field: Field) => boolean): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => (isSo(field) ? [name] : []))

export const isWritable = ({ readOnly, computed }: Field): boolean => readOnly === undefined && computed === undefined

export const isMany = (field: Field): boolean => 'many' in field && field.many === true
