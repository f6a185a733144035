import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { FieldKind } from '../../src/fields/field.ts'
import { Icon } from '../look/icon.tsx'
import { AttachmentControl } from './attachment.tsx'
import { ChoiceControl } from './choice.tsx'
import type { Control, Fault, FieldInputProps } from './control.ts'
import { DecimalControl } from './decimal.tsx'
import { labelOfField } from './field-label.ts'
import { GeometryControl } from './geometry.tsx'
import { LongTextControl } from './long-text.tsx'
import { PartControl } from './part.tsx'
import { PeriodControl } from './period.tsx'
import { isEmpty } from './read-values.ts'
import { ReferenceControl } from './reference.tsx'
import { Repeated } from './repeated.tsx'
import { RichTextControl } from './rich-text.tsx'
import { say } from './say.ts'
import { TextControl } from './text.tsx'
import { TimestampControl } from './timestamp.tsx'
import { YesNoControl } from './yes-no.tsx'

interface Way {
  readonly Control: Control
  /** Whether the label is that of one input, or of a group of controls. */
  readonly labels: 'input' | 'group'
  /** Whether several values are rows of that control, or are chosen in it. */
  readonly several: 'rows' | 'inside'
}

/** How each kind of the catalogue is asked for. A new kind has to be told here. */
const ways: Readonly<Record<FieldKind, Way>> = {
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

/** A field of a record: its label, its control, and what is wrong with it in words. */
export function FieldInput(props: FieldInputProps): JSX.Element {
  const { name, field, value, onChange, faults = [], spoken, hint, times } = props
  const id = useId()
  const { Control, labels, several } = ways[field.kind]
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

/** Parts tell what is wrong within them at the field that it is of. */
const isTold = (at: string, kind: FieldKind): boolean => kind === 'part' && /\w$/.test(at)

interface FaultsProps {
  readonly id: string | undefined
  readonly faults: readonly Fault[]
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
