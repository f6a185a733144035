import { nullable, objectOf, type Schema, schemaRef } from '../../http/openapi/schema.ts'
import { matchKeys } from '../sheets/intake/options.ts'

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer', minimum: 0 }
const row: Schema = { type: 'integer', minimum: 1, description: 'As a spreadsheet counts them' }

const fault: Schema = objectOf({
  properties: {
    column: { ...text, description: 'The header, or the name of a field that has no column' },
    value: { ...text, description: 'What the cell says' },
    message: text,
    allowed: { type: 'array', items: text },
  },
  required: ['column', 'value', 'message'],
})

const rowResult: Schema = objectOf({
  properties: {
    row,
    to_row: { ...row, description: 'The last row, where several are about one record' },
    result: { ...text, enum: ['created', 'changed', 'unchanged', 'fault'] },
    id: schemaRef('Id'),
    uuid: schemaRef('Uuid'),
    uri: { ...text, format: 'uri' },
    resource: text,
    faults: { type: 'array', items: fault },
  },
  required: ['row', 'result'],
})

const found: Schema = objectOf({
  properties: {
    encoding: { ...text, enum: ['utf-8', 'windows-1252'] },
    separator: { ...text, enum: ['comma', 'semicolon', 'tab'] },
    head_row: row,
    match: nullable({ ...text, enum: [...matchKeys] }),
    timezone: text,
    columns: {
      type: 'array',
      items: objectOf({
        properties: {
          column: text,
          field: text,
          taken: { const: false, description: 'What the farm works out or notes itself is not looked at' },
          decimal: { ...text, enum: ['.', ','] },
          dates: { ...text, enum: ['dmy', 'mdy', 'ymd'] },
        },
        required: ['column', 'field'],
      }),
    },
  },
  required: ['encoding', 'separator', 'head_row', 'match', 'timezone', 'columns'],
})

export const sheetSchemas: Readonly<Record<string, Schema>> = {
  SheetOutcome: objectOf({
    properties: {
      counts: objectOf({
        properties: {
          ...{ created: whole, changed: whole, unchanged: whole, fault: whole },
          done: { ...whole, description: 'New logs that are done' },
          planned: { ...whole, description: 'New logs that are planned' },
        },
        required: ['created', 'changed', 'unchanged', 'fault'],
      }),
      found: schemaRef('SheetFound'),
      rows: { type: 'array', items: schemaRef('SheetRow') },
    },
    required: ['counts', 'found', 'rows'],
  }),
  SheetFound: found,
  SheetRow: rowResult,
}
