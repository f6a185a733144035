import type { JSX } from 'preact'
import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import type { FieldKind } from '../../src/fields/field.ts'
import { readWkt } from '../look/place/shapes.ts'
import type { CatalogueDocument, RecordFields } from '../store/record.ts'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import { AttachmentControl } from './attachments.tsx'
import { ChoiceControl } from './choice.tsx'
import { type ContainerControlProps, type Control, type FieldFault, faultsIn } from './control.ts'
import { isEmpty, textIn, wktIn } from './field-value.ts'
import {
  DecimalControl,
  GeometryControl,
  LongTextControl,
  RichTextControl,
  TextControl,
  YesNoControl,
} from './input-controls.tsx'
import { type FormReference, ReferenceControl } from './reference.tsx'
import { PeriodControl, TimestampControl } from './time-controls.tsx'
import { decimalIn, wholeIn } from './typed-number.ts'

interface KindForm {
  readonly Control: Control
  /** The label belongs to one input, or to a group of controls. */
  readonly labels: 'input' | 'group'
  /** Several values are rows of this control, or are chosen inside it. */
  readonly several: 'rows' | 'inside'
  /** Reads a value as it is sent. A fault is reported, and yields undefined. Empty values are not passed. */
  readonly read: (value: unknown, reading: FieldReading) => unknown
}

/** Control and reader of each field kind. The compiler names a missing kind. */
export const fieldKinds: Readonly<Record<FieldKind, KindForm>> = {
  text: { Control: TextControl, labels: 'input', several: 'rows', read: readText },
  'long-text': { Control: LongTextControl, labels: 'input', several: 'rows', read: readText },
  'rich-text': { Control: RichTextControl, labels: 'input', several: 'rows', read: readRichText },
  timestamp: { Control: TimestampControl, labels: 'group', several: 'rows', read: readTime },
  period: { Control: PeriodControl, labels: 'group', several: 'rows', read: readPeriod },
  'yes-no': { Control: YesNoControl, labels: 'input', several: 'rows', read: asIs },
  whole: { Control: DecimalControl, labels: 'input', several: 'rows', read: readWhole },
  decimal: { Control: DecimalControl, labels: 'input', several: 'rows', read: readDecimal },
  choice: { Control: ChoiceControl, labels: 'group', several: 'inside', read: readChoice },
  reference: { Control: ReferenceControl, labels: 'group', several: 'inside', read: readReference },
  geometry: { Control: GeometryControl, labels: 'input', several: 'rows', read: readShape },
  attachment: { Control: AttachmentControl, labels: 'group', several: 'inside', read: asIs },
  part: { Control: PartControl, labels: 'group', several: 'rows', read: readPart },
}

export interface ValueRules {
  /** Seconds: the meaning of "now". */
  readonly now: number
  readonly lists: CatalogueDocument['lists']
}

export interface FieldReading extends ValueRules {
  readonly field: CatalogueField
  readonly fault: (words: string, at?: string) => undefined
  /** Reads the fields of a part. */
  readonly readFields: (fields: CatalogueFields, values: RecordFields, rules: ValueRules) => ReadValues
}

export interface ReadValues {
  readonly values: RecordFields
  readonly faults: readonly FieldFault[]
}

function asIs(value: unknown): unknown {
  return value
}

function readRichText(value: unknown): unknown {
  return textIn(value).trim() === '' ? undefined : value
}

function readDecimal(value: unknown, { fault }: FieldReading): unknown {
  return decimalIn(String(value)) ?? fault(say('form.fault.number'))
}

function readText(value: unknown, { field, fault }: FieldReading): unknown {
  const most = field.max_length ?? Number.POSITIVE_INFINITY
  const text = String(value)
  if (text.length > most && [...text].length > most) return fault(say('form.fault.too-long', { most: figure(most) }))
  return text
}

const [firstSecond, lastSecond] = [-62_135_596_800, 253_402_300_799]

function readTime(value: unknown, { now, fault }: FieldReading): unknown {
  if (value === 'now') return String(now)
  const seconds = Number(value)
  if (!Number.isInteger(seconds) || seconds < firstSecond || seconds > lastSecond) return fault(say('form.fault.time'))
  return String(value)
}

function readPeriod(value: unknown, reading: FieldReading): unknown {
  const { value: from, value2: until } = value as { readonly value?: unknown; readonly value2?: unknown }
  if (isEmpty(from) || isEmpty(until)) return reading.fault(say('form.fault.period'))
  const [begins, ends] = [readTime(from, reading), readTime(until, reading)]
  if (begins === undefined || ends === undefined) return undefined
  if (Number(ends) < Number(begins)) return reading.fault(say('form.fault.ends-before'))
  return { value: begins, value2: ends }
}

function readWhole(value: unknown, { field: { min, max }, fault }: FieldReading): unknown {
  const whole = wholeIn(String(value))
  if (whole === null) return fault(say('form.fault.whole'))
  const number = Number(whole)
  if (min !== undefined && number < min) return fault(say('form.fault.least', { least: figure(min) }))
  if (max !== undefined && number > max) return fault(say('form.fault.most', { most: figure(max) }))
  return whole
}

const longestWord = 64

function readChoice(value: unknown, { field: { list = '', open }, lists, fault }: FieldReading): unknown {
  const word = String(value).trim()
  if (lists[list]?.some((choice) => choice.value === word)) return word
  if (open !== true) return fault(say('form.fault.choice', { word }))
  return [...word].length <= longestWord ? word : fault(say('form.fault.too-long', { most: figure(longestWord) }))
}

function readReference(value: unknown): FormReference | undefined {
  const { id, uuid, name } = value as FormReference
  if (id !== undefined) return { id }
  if (uuid !== undefined) return { uuid }
  return name === undefined ? undefined : { name: name.trim() }
}

function readShape(value: unknown, { fault }: FieldReading): unknown {
  const wkt = wktIn(value).trim()
  const { points, lines, areas } = readWkt(wkt)
  const isDrawn = points.length + lines.length + areas.length > 0 || /^[A-Z\s]+EMPTY$/i.test(wkt)
  if (!isDrawn) return fault(say('form.fault.shape'))
  return typeof value === 'string' ? wkt : { geom: wkt }
}

function readPart(value: unknown, { field, fault, readFields, ...rules }: FieldReading): unknown {
  const { values, faults } = readFields(field.fields ?? {}, value as RecordFields, rules)
  for (const { at, words } of faults) fault(words, at)
  return faults.length > 0 || Object.keys(values).length === 0 ? undefined : values
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
