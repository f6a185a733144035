import type { JSX } from 'preact'
import type { CatalogueField } from '../../src/doors/app/documents.ts'

/** Times offered first: of something done, of a plan, or of a day without an hour, such as a date of birth. */
export type TimeOffers = 'past' | 'plan' | 'day'

/** A fault and its path in the value: '' for the whole value, "[1].measure" for a part. */
export interface FieldFault {
  readonly at: string
  readonly words: string
}

/** Props of every control. Values are spelled as on the record interface, or as typed. */
export interface ControlProps {
  readonly field: CatalogueField
  readonly label: string
  /** Id of the input, for its label. */
  readonly id: string
  readonly value: unknown
  /** Called with undefined when the value is cleared. */
  readonly onChange: (value: unknown) => void
  readonly faults: readonly FieldFault[]
  /** Id of the element with the fault. */
  readonly describedBy: string | undefined
  /** Accessible label, if the visible label is not enough: "Quantity 2: Value". */
  readonly spoken?: string | undefined
  readonly hint?: string | undefined
  readonly times?: TimeOffers | undefined
}

/** Props of controls that may contain fields. */
export interface ContainerControlProps extends ControlProps {
  readonly Input: (props: FieldInputProps) => JSX.Element
}

export type Control = (props: ContainerControlProps) => JSX.Element

export interface FieldInputProps {
  /** Name in the catalogue: "timestamp". */
  readonly name: string
  readonly field: CatalogueField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly faults?: readonly FieldFault[]
  /** Placeholder of a text. */
  readonly hint?: string | undefined
  readonly times?: TimeOffers | undefined
  /** Accessible label when a field repeats: "Quantity 2: value". */
  readonly spoken?: string
}

type InputAttributes = Pick<JSX.IntrinsicElements['input'], 'id' | 'aria-label' | 'aria-invalid' | 'aria-describedby'>

/** Links an input to its label and its fault. */
export const inputAttributes = ({ id, spoken, faults, describedBy }: ControlProps): InputAttributes => ({
  id,
  'aria-label': spoken,
  'aria-invalid': faults.length > 0 ? true : undefined,
  'aria-describedby': describedBy,
})

/** Faults of one list item, or of one field of a part. */
export function faultsIn(faults: readonly FieldFault[], step: string): readonly FieldFault[] {
  return faults.flatMap(({ at, words }) => {
    if (at === step) return [{ at: '', words }]
    const rest = at.startsWith(step) ? at.slice(step.length) : ''
    return rest.startsWith('.') || rest.startsWith('[') ? [{ at: rest.replace(/^\./, ''), words }] : []
  })
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** Undefined instead of an empty list. */
export const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

/** Handles Enter in an input without submitting the form. */
export const onEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  }
