import { responseRef, type Schema, schemaRef } from './schema.ts'

/** The media types of a format, or of both. */
export type Formats = 'json' | 'xml' | 'both'

const mediaTypes: Readonly<Record<Formats, readonly string[]>> = {
  json: ['application/json'],
  xml: ['application/xml'],
  both: ['application/json', 'application/xml'],
}

export const contentOf = (formats: Formats, schema: Schema): Schema =>
  Object.fromEntries(mediaTypes[formats].map((type) => [type, { schema }]))

export const answer = (description: string, formats: Formats, schema: Schema): Schema => ({
  description,
  content: contentOf(formats, schema),
})

/** An answer in a format of its own. */
export const answerAs = (description: string, mediaType: string, schema: Schema): Schema => ({
  description,
  content: { [mediaType]: { schema } },
})

const problem = (description: string): Schema => ({
  description,
  content: {
    'application/problem+json': { schema: schemaRef('Problem') },
    'application/problem+xml': { schema: schemaRef('Problem') },
  },
})

const oauthError = (description: string): Schema => answer(description, 'json', schemaRef('OAuthError'))
const page: Schema = { type: 'string', description: 'A page for people' }

export const responses: Readonly<Record<string, Schema>> = {
  BadRequest: problem('The body or the query could not be read; it says where'),
  Forbidden: problem('Not logged in (with a WWW-Authenticate challenge), or not allowed'),
  NotFound: problem('There is no such record, page or address'),
  Conflict: problem('Others still refer to it; it names them'),
  UuidTaken: problem('The UUID stands for something already; of your own record it tells id and version'),
  NotRestorable: problem('It cannot come back as it was; it names what stands in the way'),
  Invalid: problem('The content is not valid; errors has one entry for each fault'),
  Problem: problem('Another refusal, see docs/refusals.md'),
  OAuthError: oauthError('A refusal in the words of RFC 6749, section 5.2'),
  Page: { description: 'A page for people', content: { 'text/html': { schema: page } } },
  RefusedPage: {
    description: 'A refusal: for people as a page that leads on',
    content: { 'text/html': { schema: page }, 'application/problem+json': { schema: schemaRef('Problem') } },
  },
  Redirect: {
    description: 'Go on there',
    headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } },
  },
}

/** How any request may be refused. */
export const refusedOften: Schema = {
  '400': responseRef('BadRequest'),
  '403': responseRef('Forbidden'),
  '4XX': responseRef('Problem'),
  '5XX': responseRef('Problem'),
}

export interface Operation {
  readonly id: string
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly Schema[]
  readonly body?: Schema
  readonly responses: Schema
  /** Absent: as the whole interface; empty: nobody is asked who they are. */
  readonly security?: readonly Schema[]
}

export const operation = ({ id, summary, tag, parameters, body, security, ...rest }: Operation): Schema => ({
  operationId: id,
  summary,
  tags: [tag],
  ...(parameters === undefined ? {} : { parameters }),
  ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
  responses: rest.responses,
  ...(security === undefined ? {} : { security }),
})

export type Paths = Record<string, Schema>

/** An extension under which a read is found, with what it answers in and a word for its operation id. */
export interface Spelling {
  readonly extension: string
  readonly formats: Formats
  readonly word: string
}

export const spellings: readonly Spelling[] = [
  { extension: '.json', formats: 'json', word: 'Json' },
  { extension: '.xml', formats: 'xml', word: 'Xml' },
  { extension: '', formats: 'both', word: '' },
]

/** A body that is a form, or the same as JSON. */
export const inBody = (schema: Schema): Schema => ({
  'application/x-www-form-urlencoded': { schema },
  'application/json': { schema },
})

export const form = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
})
