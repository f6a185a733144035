import { keptReportNames } from '../../reports/kept-report.ts'
import { mostDays, usualDays } from '../../reports/report-links.ts'
import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answer, contentOf, inBody, operation, refusedOften } from '../http/openapi/operations.ts'
import { described, listOf, nullable, objectOf, responseRef, type Schema, schemaRef } from '../http/openapi/schema.ts'

const text: Schema = { type: 'string' }
const day: Schema = { type: 'string', format: 'date' }
const seconds = described('Unix seconds', { type: 'string', pattern: '^[0-9]+$' })
const number: Schema = { type: 'integer', minimum: 0 }
const report: Schema = { type: 'string', enum: keptReportNames }

const all = (properties: Readonly<Record<string, Schema>>): Schema =>
  objectOf({ properties, required: Object.keys(properties) })

const head = {
  id: schemaRef('Uuid'),
  report,
  from: day,
  to: day,
  people: described('Whether people are named', { type: 'boolean' }),
  logs: described('How many logs are behind it', number),
  made: seconds,
  ends: seconds,
  checksum: described('The SHA-256 of what it shows, in hexadecimal', text),
}

const wanted = objectOf({
  properties: {
    report,
    query: described('As the address of the report has it: from=2026-01-01&group=area', text),
    people: described('Whether people are named; no unless said otherwise', { type: 'boolean' }),
    days: described(`How long it works; ${usualDays} unless said otherwise`, {
      type: 'integer',
      minimum: 1,
      maximum: mostDays,
    }),
  },
  required: ['report'],
})

const row = objectOf({
  properties: {
    day,
    name: text,
    amounts: listOf(text),
    places: listOf(text),
    people: described('Only where people are named', listOf(text)),
  },
  required: ['day', 'name', 'amounts', 'places'],
})

const members = {
  checksum: described('The SHA-256 of the text of the document, in hexadecimal', text),
  logs: number,
  changed: described('How many of these logs are not what they were, or no longer there', number),
  ends: seconds,
  document: all({
    farm: text,
    made: described('Unix seconds', { type: 'integer' }),
    report: described('As its address answered it then, without addresses', { type: 'object' }),
    rows: described('The logs behind it', listOf(row)),
  }),
}

const words = described('What the page says, where the farm speaks another language than English', { type: 'object' })
const shared = objectOf({ properties: { ...members, words }, required: Object.keys(members) })

/** Links by which people without an account see a report. */
export const reportLinksDescription: DoorDescription = {
  paths: {
    '/administer/report-links.json': {
      get: operation({
        id: 'listReportLinks',
        summary: 'The links to reports that still work',
        tag: 'reports',
        responses: {
          '200': answer('The links', 'json', all({ list: listOf(schemaRef('ReportLink')) })),
          ...refusedOften,
        },
      }),
      post: operation({
        id: 'makeReportLink',
        summary: 'A report as it is now, for people without an account',
        tag: 'reports',
        body: contentOf('json', wanted),
        responses: {
          '201': answer('The link, which is told this once', 'json', all({ ...head, link: text })),
          '422': responseRef('Invalid'),
          ...refusedOften,
        },
      }),
    },
    '/administer/report-links/{id}': {
      delete: operation({
        id: 'endReportLink',
        summary: 'From now on the link opens nothing',
        tag: 'reports',
        parameters: [{ name: 'id', in: 'path', required: true, schema: schemaRef('Uuid') }],
        responses: { '204': { description: 'It has ended' }, '404': responseRef('NotFound'), ...refusedOften },
      }),
    },
    '/shared-report.json': {
      post: operation({
        id: 'readSharedReport',
        summary: 'What a link shows, for the key behind its #',
        tag: 'reports',
        body: inBody(all({ key: text })),
        responses: {
          '200': answer('The report as it was', 'json', schemaRef('SharedReport')),
          '404': responseRef('NotFound'),
          '4XX': responseRef('Problem'),
          '5XX': responseRef('Problem'),
        },
        security: [],
      }),
    },
  },
  schemas: { ReportLink: all({ ...head, made_by: nullable(text) }), SharedReport: shared },
}
