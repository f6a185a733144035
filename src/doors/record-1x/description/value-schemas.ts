import { decimalPattern } from '../../../fields/exact-decimal.ts'
import { valueLimits } from '../../../fields/limits.ts'
import { yesNoWords } from '../../../fields/scalars.ts'
import { richTextFormat } from '../../../fields/text.ts'
import { type RefusalName, refusals } from '../../../refusal.ts'
import { objectOf, type Schema, schemaRef } from '../../http/openapi.ts'
import { typeOfBug, typeOfRefusal } from '../../http/problem-details.ts'

const digits = '^-?[0-9]+$'

/** The pieces that the records of every farm are made of. */
export const valueSchemas: Readonly<Record<string, Schema>> = {
  Id: { type: 'string', pattern: '^[1-9][0-9]*$', description: 'The number of a record, in digits' },
  Uuid: {
    type: 'string',
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'A UUID, in any case; kept and shown in lower case',
  },
  Version: {
    type: 'string',
    pattern: '^[1-9][0-9]*\\.[A-Za-z0-9_-]+$',
    description: 'Which revision of the record of which farm: the value for If-Match',
  },
  GivenId: { anyOf: [schemaRef('Id'), { type: 'integer', minimum: 1 }] },
  Timestamp: { type: 'string', pattern: digits, description: 'Unix seconds, in digits' },
  GivenTimestamp: { anyOf: [schemaRef('Timestamp'), { type: 'integer' }], description: 'Unix seconds' },
  Whole: { type: 'string', pattern: digits, description: 'A whole number, in digits' },
  GivenWhole: { anyOf: [schemaRef('Whole'), { type: 'integer' }] },
  Decimal: { type: 'string', pattern: decimalPattern, description: 'A decimal number exactly as it was written' },
  GivenDecimal: { anyOf: [schemaRef('Decimal'), { type: 'number' }] },
  YesNoDigit: { type: 'string', enum: ['0', '1'] },
  GivenYesNo: { anyOf: [{ type: 'boolean' }, { enum: [...yesNoWords, 0, 1] }] },
  WellKnownText: { type: 'string', examples: ['POINT (7.1 50.2)'], description: 'A geometry as Well-Known Text' },
  Geometry: objectOf({ properties: { geom: schemaRef('WellKnownText') }, required: ['geom'] }),
  RichText: objectOf({
    properties: { value: { type: 'string' }, format: { type: 'string', const: richTextFormat } },
    required: ['value', 'format'],
  }),
  GivenRichText: objectOf({
    properties: { value: { type: 'string' }, format: { type: 'string', const: richTextFormat } },
    required: ['value'],
  }),
  Period: objectOf({
    properties: {
      value: schemaRef('Timestamp'),
      value2: schemaRef('Timestamp'),
      duration: { type: 'integer', description: 'Seconds' },
    },
    required: ['value', 'value2', 'duration'],
  }),
  GivenPeriod: objectOf({
    properties: { value: schemaRef('GivenTimestamp'), value2: schemaRef('GivenTimestamp') },
    required: ['value'],
  }),
  Reference: {
    ...objectOf({
      properties: {
        uri: { type: 'string', format: 'uri' },
        id: { ...schemaRef('Id'), xml: { attribute: true } },
        resource: { type: 'string', xml: { attribute: true } },
        name: { type: 'string', xml: { attribute: true }, description: 'Of terms only' },
      },
      required: ['uri', 'id', 'resource'],
    }),
    description: 'In XML the uri is the text of the element, and the rest are its attributes',
  },
  GivenUserReference: {
    type: 'object',
    properties: { id: { anyOf: [schemaRef('GivenId'), schemaRef('ResultName')] } },
    required: ['id'],
    description: 'By id. More members, such as those of a read, are not looked at',
  },
  GivenReference: {
    anyOf: [
      schemaRef('GivenUserReference'),
      { type: 'object', properties: { uuid: schemaRef('Uuid') }, required: ['uuid'] },
    ],
    description: 'By id or UUID. More members, such as those of a read, are not looked at',
  },
  GivenTermReference: {
    anyOf: [
      schemaRef('GivenReference'),
      {
        type: 'object',
        properties: {
          id: { type: 'null' },
          uuid: { type: 'null' },
          name: { type: 'string', minLength: 1, maxLength: valueLimits.nameLength },
        },
        required: ['name'],
      },
    ],
    description: 'By id or UUID, or by name: a term that there is not yet is created',
  },
  File: { type: 'string', description: 'A data URI with the content, or the address of the file' },
  GivenFile: {
    anyOf: [
      { type: 'string', pattern: '^([dD][aA][tT][aA]:.+;base64,|https?://|/)' },
      { type: 'object', properties: { id: schemaRef('GivenId') }, required: ['id'] },
      { type: 'object', properties: { uuid: schemaRef('Uuid') }, required: ['uuid'] },
    ],
    description: 'A data URI (data:<mime type>;base64,<content>), or a file of this farm by its address, id or UUID',
  },
  EmptyList: { type: 'array', maxItems: 0 },
  Fault: objectOf({
    properties: {
      field: { type: 'string', description: 'The path of the field, such as quantity[1].measure' },
      message: { type: 'string' },
      allowed: { type: 'array', items: { type: 'string' } },
    },
    required: ['field', 'message'],
  }),
  Problem: {
    ...objectOf({
      properties: {
        type: {
          type: 'string',
          enum: [...(Object.keys(refusals) as RefusalName[]).map(typeOfRefusal), typeOfBug],
        },
        title: { type: 'string' },
        status: { type: 'integer', minimum: 400, maximum: 599 },
        detail: { type: 'string' },
        errors: { type: 'array', items: schemaRef('Fault') },
        request_id: { type: 'string' },
        id: { ...schemaRef('Id'), description: 'Of your own record that has the UUID already' },
        version: { ...schemaRef('Version'), description: 'Of that record' },
        counts: { type: 'object', description: 'Of a sheet: how many faults there are, and how many are not told' },
        found: { ...schemaRef('SheetFound'), description: 'Of a sheet: how it was read' },
        shown: { ...schemaRef('SheetShown'), description: 'Of a sheet: its headers and some of its rows' },
        rows: { type: 'array', items: schemaRef('SheetRow'), description: 'Of a sheet: its rows that have faults' },
      },
      required: ['type', 'title', 'status'],
    }),
    description: 'Problem details (RFC 9457)',
  },
}
