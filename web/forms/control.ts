import type { JSX } from 'preact'
import type { CatalogueField } from '../../src/doors/app/documents.ts'

/** What is wrong with a value, in words, and where in it: '' for all of it, "[1].measure" for a part. */
export interface FieldFault {
  readonly at: string
  readonly words: string
}

/** What every control of the form is given. Values are spelled as the record interface spells them, or as they were typed. */
export interface ControlProps {
  readonly field: CatalogueField
  readonly label: string
  /** Of the input, to which the label belongs. */
  readonly id: string
  readonly value: unknown
  /** Undefined where nothing is left. */
  readonly onChange: (value: unknown) => void
  readonly faults: readonly FieldFault[]
  /** The id of what tells the fault. */
  readonly describedBy: string | undefined
  /** What an input is called where its label does not say enough: "Quantity 2: Value". */
  readonly spoken?: string | undefined
  readonly hint?: string | undefined
  readonly times?: 'past' | 'plan' | undefined
}

export type Control = (props: ControlProps) => JSX.Element

/** A field with its label, its control and what is wrong with it. */
export interface FieldInputProps {
  /** As the catalogue names it: "timestamp". */
  readonly name: string
  readonly field: CatalogueField
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly faults?: readonly FieldFault[]
  /** Of a text: what is meant where it is left empty. */
  readonly hint?: string | undefined
  /** Of a time: whether it is more likely ahead. */
  readonly times?: 'past' | 'plan' | undefined
  /** What those see and hear who have several of them before them: "Quantity 2: value". */
  readonly spoken?: string
}

/** For controls that hold fields in turn. */
export interface HoldingProps extends ControlProps {
  readonly Input: (props: FieldInputProps) => JSX.Element
}

type InputAttributes = Pick<JSX.IntrinsicElements['input'], 'id' | 'aria-label' | 'aria-invalid' | 'aria-describedby'>

/** What ties an input to its label and to what is wrong with it. */
export const inputAttributes = ({ id, spoken, faults, describedBy }: ControlProps): InputAttributes => ({
  id,
  'aria-label': spoken,
  'aria-invalid': faults.length > 0 ? true : undefined,
  'aria-describedby': describedBy,
})

/** Those of one item of a list, or of one field of a part. */
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

/** Nothing instead of an empty list. */
export const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

/** For an input in which Enter does something of its own, and does not send the form. */
export const onEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  }
