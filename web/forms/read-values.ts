import type { CatalogueFields } from '../../src/doors/app/documents.ts'
import type { RecordFields } from '../store/record.ts'
import { say } from '../words/say.ts'
import type { FieldFault } from './control.ts'
import { type FieldReading, fieldKinds, type ReadValues, type ValueRules } from './field-kinds.tsx'
import { isEmpty } from './field-value.ts'

/** Reads all values of a form; the path of a fault begins with its field: "quantity[1].value". */
export function readValues(fields: CatalogueFields, values: RecordFields, rules: ValueRules): ReadValues {
  const faults: FieldFault[] = []
  const read = Object.entries(fields).flatMap(([name, field]) => {
    const one = readField(values[name], {
      ...rules,
      field,
      readFields: readValues,
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
  return isEmpty(value) ? undefined : fieldKinds[reading.field.kind].read(value, reading)
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
