import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { CatalogueField } from '../../src/doors/app/documents.ts'
import type { FieldKind } from '../../src/fields/field.ts'
import { Icon } from '../look/icon.tsx'
import type { RecordFields } from '../store/record.ts'
import { say } from '../words/say.ts'
import { AttachmentControl } from './attachments.tsx'
import { ChoiceControl } from './choice.tsx'
import {
  type ContainerControlProps,
  type Control,
  type ControlProps,
  type FieldFault,
  type FieldInputProps,
  faultsIn,
  filled,
  listOf,
} from './control.ts'
import {
  DecimalControl,
  GeometryControl,
  LongTextControl,
  RichTextControl,
  TextControl,
  YesNoControl,
} from './input-controls.tsx'
import { isEmpty } from './read-values.ts'
import { ReferenceControl } from './reference.tsx'
import { PeriodControl, TimestampControl } from './time-controls.tsx'

interface KindControl {
  readonly Control: Control
  /** Whether the label belongs to one input or to a group of controls. */
  readonly labels: 'input' | 'group'
  /** Whether several values are rows of this control, or are chosen inside it. */
  readonly several: 'rows' | 'inside'
}

/** Control of each field kind. The compiler names a missing kind. */
const controls: Readonly<Record<FieldKind, KindControl>> = {
  text: { Control: TextControl, labels: 'input', several: 'rows' },
  'long-text': { Control: LongTextControl, labels: 'input', several: 'rows' },
  'rich-text': { Control: RichTextControl, labels: 'input', several: 'rows' },
  timestamp: { Control: TimestampControl, labels: 'group', several: 'rows' },
  period: { Control: PeriodControl, labels: 'group', several: 'rows' },
  'yes-no': { Control: YesNoControl, labels: 'input', several: 'rows' },
  whole: { Control: DecimalControl, labels: 'input', several: 'rows' },
  decimal: { Control: DecimalControl, labels: 'input', several: 'rows' },
  choice: { Control: ChoiceControl, labels: 'group', several: 'inside' },
  reference: { Control: ReferenceControl, labels: 'group', several: 'inside' },
  geometry: { Control: GeometryControl, labels: 'input', several: 'rows' },
  attachment: { Control: AttachmentControl, labels: 'group', several: 'inside' },
  part: { Control: (props) => <PartControl {...props} Input={FieldInput} />, labels: 'group', several: 'rows' },
}

/** A field with label, control and faults. */
export function FieldInput(props: FieldInputProps): JSX.Element {
  const { name, field, value, onChange, faults = [], spoken, hint, times } = props
  const id = useId()
  const { Control, labels, several } = controls[field.kind]
  const label = labelOfField(name, field)
  const own = faults.filter(({ at }) => at === '' || !isTold(at, field.kind))
  const describedBy = own.length > 0 ? `${id}-fault` : undefined
  const given = { field, label: spoken ?? label, id, value, onChange, faults, describedBy, spoken, hint, times }
  const control =
    field.many === true && several === 'rows' ? <Repeated {...given} One={Control} /> : <Control {...given} />
  const isGroup = labels === 'group' || (field.many === true && several === 'rows')
  const text = (
    <>
      {label}
      {field.required === true && isEmpty(value) && <span class="small"> · {say('form.required')}</span>}
    </>
  )
  if (isGroup)
    return (
      <fieldset class="form-field" data-field={spoken === undefined ? name : undefined} aria-describedby={describedBy}>
        <legend>{text}</legend>
        {control}
        <Faults id={describedBy} faults={own} />
      </fieldset>
    )
  return (
    <div class="form-field" data-field={spoken === undefined ? name : undefined}>
      <label for={id}>{text}</label>
      {control}
      <Faults id={describedBy} faults={own} />
    </div>
  )
}

/** Faults inside a part are shown at the inner field. */
const isTold = (at: string, kind: FieldKind): boolean => kind === 'part' && /\w$/.test(at)

interface FaultsProps {
  readonly id: string | undefined
  readonly faults: readonly FieldFault[]
}

function Faults({ id, faults }: FaultsProps): JSX.Element | null {
  if (faults.length === 0) return null
  return (
    <p class="fault" id={id}>
      <Icon name="flag" size="small" />
      {faults.map(({ words }) => words).join(' ')}
    </p>
  )
}

/** Fields of a part, in one group. */
function PartControl({ field, label, value, onChange, faults, Input }: ContainerControlProps): JSX.Element {
  const values = (value ?? {}) as RecordFields
  const change = (name: string, given: unknown) => {
    const { [name]: _before, ...others } = values
    const part = given === undefined || given === '' ? others : { ...others, [name]: given }
    onChange(Object.keys(part).length === 0 ? undefined : part)
  }
  return (
    <div class="part">
      {Object.entries(field.fields ?? {}).map(([name, inner]) => (
        <Input
          key={name}
          name={name}
          field={inner}
          spoken={`${label}: ${inner.label}`}
          value={values[name]}
          faults={faultsIn(faults, name)}
          onChange={(given) => change(name, given)}
        />
      ))}
    </div>
  )
}

interface RepeatedProps extends ControlProps {
  readonly One: Control
}

/** Rows for a repeated field, with a button to add one. */
function Repeated({ One, ...props }: RepeatedProps): JSX.Element {
  const { label, id, value, onChange, faults } = props
  const all = listOf(value)
  const rows = all.length === 0 ? [undefined] : all
  const named = (index: number) => (rows.length === 1 ? label : say('form.nth', { label, number: index + 1 }))
  const change = (index: number, given: unknown) => onChange(rows.with(index, given ?? null))
  return (
    <div class="rows">
      {rows.map((row, index) => (
        <div class="one-of" key={index}>
          <One
            {...props}
            id={index === 0 ? id : `${id}-${index}`}
            label={named(index)}
            spoken={named(index)}
            value={row ?? undefined}
            faults={[...faultsIn(faults, `[${index}]`), ...(index === 0 ? faultsIn(faults, '') : [])]}
            onChange={(given) => change(index, given)}
          />
          {all.length > 0 && (
            <button
              type="button"
              class="icon-btn"
              aria-label={say('form.remove', { name: named(index) })}
              onClick={() => onChange(filled(all.filter((_one, other) => other !== index)))}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <button
        type="button"
        class="btn plain"
        aria-label={say('form.add-to', { label })}
        onClick={() => onChange([...rows, null])}
      >
        <Icon name="plus" />
        {say('form.add')}
      </button>
    </div>
  )
}

/** Label from the app's words, else from the catalogue. */
function labelOfField(name: string, { label }: Pick<CatalogueField, 'label'>): string {
  return ownLabels[name]?.() ?? label
}

const ownLabels: Readonly<Record<string, () => string>> = {
  timestamp: () => say('field.timestamp'),
  geofield: () => say('field.geofield'),
  inventory: () => say('field.inventory'),
}
