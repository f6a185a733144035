import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import type { FieldKind } from '../../src/fields/field.ts'
import { readWkt } from '../look/place/shapes.ts'
import type { CatalogueDocument, RecordFields } from '../store/record.ts'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import type { FieldFault } from './control.ts'
import { textIn, wktIn } from './field-value.ts'
import type { FormReference } from './reference.tsx'
import { decimalIn, wholeIn } from './typed-number.ts'

export interface ValueRules {
  /** Seconds: the meaning of "now". */
  readonly now: number
  readonly lists: CatalogueDocument['lists']
}

interface FieldReading extends ValueRules {
  readonly field: CatalogueField
  readonly fault: (words: string, at?: string) => undefined
}

/** Reads a typed value as it is sent. Empty input yields undefined; a fault is reported and also yields undefined. */
type ValueReader = (value: unknown, reading: FieldReading) => unknown

const readByKind: Readonly<Record<FieldKind, ValueReader>> = {
  text: readText,
  'long-text': readText,
  'rich-text': (value) => (textIn(value).trim() === '' ? undefined : value),
  timestamp: readTime,
  period: readPeriod,
  'yes-no': (value) => value,
  whole: readWhole,
  decimal: (value, { fault }) => decimalIn(String(value)) ?? fault(say('form.fault.number')),
  choice: readChoice,
  reference: (value) => readReference(value as FormReference),
  geometry: readShape,
  attachment: (value) => value,
  part: readPart,
}

interface ReadValues {
  readonly values: RecordFields
  readonly faults: readonly FieldFault[]
}

/** Reads all values of a form; the path of a fault begins with its field: "quantity[1].value". */
export function readValues(fields: CatalogueFields, values: RecordFields, by: ValueRules): ReadValues {
  const faults: FieldFault[] = []
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const one = readField(values[name], {
      ...by,
      field,
      fault: (words, at = '') => {
        faults.push({ at: joined(name, at), words })
        return undefined
      },
    })
    return one === undefined ? [] : [[name, one] as const]
  })
  return { values: Object.fromEntries(read), faults }
}

const joined = (step: string, rest: string): string =>
  rest === '' || rest.startsWith('[') ? step + rest : `${step}.${rest}`

function readField(value: unknown, reading: FieldReading): unknown {
  const { field, fault } = reading
  const read = field.many === true ? readList(value, reading) : readOne(value, reading)
  if (read === undefined && field.required === true && isEmpty(value)) return fault(say('form.fault.required'))
  return read
}

function readOne(value: unknown, reading: FieldReading): unknown {
  return isEmpty(value) ? undefined : readByKind[reading.field.kind](value, reading)
}

/** Drops empty rows. */
function readList(value: unknown, reading: FieldReading): readonly unknown[] | undefined {
  const rows = (Array.isArray(value) ? value : [value]).filter((row) => !isEmpty(row))
  const read = rows.flatMap((row, index) => {
    const one = readOne(row, { ...reading, fault: (words, at = '') => reading.fault(words, `[${index}]${dotted(at)}`) })
    return one === undefined ? [] : [one]
  })
  return read.length === 0 ? undefined : read
}

const dotted = (at: string): string => (at === '' || at.startsWith('[') ? at : `.${at}`)

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.every(isEmpty)
  return typeof value === 'object' && !(value instanceof Blob) && Object.values(value).every(isEmpty)
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

function readReference({ id, uuid, name }: FormReference): FormReference | undefined {
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

function readPart(value: unknown, { field, fault, ...by }: FieldReading): unknown {
  const { values, faults } = readValues(field.fields ?? {}, value as RecordFields, by)
  for (const { at, words } of faults) fault(words, at)
  return faults.length > 0 || Object.keys(values).length === 0 ? undefined : values
}
