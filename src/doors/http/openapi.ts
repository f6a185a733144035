/** A JSON Schema (2020-12) or another piece of the description. */
export type Schema = { readonly [keyword: string]: unknown }

/** The type that documents of a schema have, where the schema itself does not say it. No schema has the member: only types read it. */
type Referent<T> = { readonly '~document'?: T }

/** A reference to a schema of the components, whose documents are of type T. */
type SchemaRef<T> = { readonly $ref: string } & Referent<T>

export const schemaRef = <T = unknown>(name: string): SchemaRef<T> => ({ $ref: `#/components/schemas/${name}` })
export const responseRef = (name: string): Schema => ({ $ref: `#/components/responses/${name}` })
export const parameterRef = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })

export const nullable = <const S extends Schema>(schema: S) => ({ anyOf: [schema, { type: 'null' }] }) as const

/** A list as both formats have it: in XML one element around its items. */
export const listOf = <const S extends Schema>(item: S) =>
  ({ type: 'array', items: { ...item, xml: { name: 'item' } }, xml: { wrapped: true } }) as const

/** The members of an object by name. */
export type Properties = Readonly<Record<string, Schema>>

interface ObjectMembers<P extends Properties = Properties, Required extends string = string> {
  readonly properties: P
  readonly required?: readonly Required[]
}

type ObjectSchema<P extends Properties, Required extends string> = {
  readonly type: 'object'
  readonly properties: P
  readonly required?: readonly Required[]
  readonly additionalProperties: false
}

/** An object with these members and no others. */
export const objectOf = <const P extends Properties, const Required extends string = never>({
  properties,
  required = [],
}: ObjectMembers<P, Required>): ObjectSchema<P, Required> => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
})

/** An object with all of these members and no others. */
export const completeObject = <const P extends Properties>(properties: P): ObjectSchema<P, keyof P & string> =>
  objectOf({ properties, required: Object.keys(properties) })

export const described = <const S extends Schema>(description: string, schema: S) => ({ description, ...schema })

export const arrayOf = <const S extends Schema>(item: S) => ({ type: 'array', items: item }) as const

/** A text that is one of T, of which the schema says no more than that it is a text. */
export const textOf = <T extends string>(): typeof text & Referent<T> => text

/** Values that many documents have. */
export const text = { type: 'string' } as const
export const uuid = { type: 'string', format: 'uuid' } as const
export const day = { type: 'string', format: 'date' } as const
export const webAddress = { type: 'string', format: 'uri' } as const
export const yesOrNo = { type: 'boolean' } as const
export const idRef = schemaRef<string>('Id')
export const secondsRef = schemaRef<string>('Timestamp')
export const wholeRef = schemaRef<string>('Whole')
export const uuidRef = schemaRef<string>('Uuid')

type FlatObject<T> = { readonly [K in keyof T]: T[K] }

type ObjectDocument<P, Required> = FlatObject<
  { readonly [K in keyof P as K extends Required ? K : never]: DocumentOf<P[K]> } & {
    readonly [K in keyof P as K extends Required ? never : K]?: DocumentOf<P[K]>
  }
>

interface ScalarDocuments {
  readonly string: string
  readonly integer: number
  readonly number: number
  readonly boolean: boolean
  readonly null: null
}

/** The type of the documents that a schema describes. What it leaves open is unknown. */
export type DocumentOf<S> = S extends unknown ? ('~document' extends keyof S ? ReferentOf<S> : PlainDocument<S>) : never

type ReferentOf<S> = S extends { readonly '~document'?: infer T } ? T : never

type PlainDocument<S> = S extends { readonly const: infer Only }
  ? Only
  : S extends { readonly enum: readonly (infer Choice)[] }
    ? Choice
    : S extends { readonly anyOf: readonly (infer Option)[] }
      ? DocumentOf<Option>
      : S extends { readonly allOf: readonly [infer Only] }
        ? DocumentOf<Only>
        : S extends { readonly type: infer Name extends keyof ScalarDocuments }
          ? ScalarDocuments[Name]
          : S extends { readonly type: 'array'; readonly items: infer Item }
            ? readonly DocumentOf<Item>[]
            : S extends { readonly type: 'object'; readonly properties: infer P; readonly required?: infer Names }
              ? ObjectDocument<P, Names extends readonly (infer Name)[] ? Name : never>
              : S extends { readonly type: 'object'; readonly additionalProperties: infer Member }
                ? Readonly<Record<string, DocumentOf<Member>>>
                : unknown

/** An object that has these among its members. */
export const withObjects = (...names: readonly string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'object' }])),
  required: names,
})

/** A parameter of a query; a text, where nothing else is said. */
export const inQuery = (name: string, description: string, schema: Schema = { type: 'string' }): Schema => ({
  name,
  in: 'query',
  description,
  schema,
})

export const languageOfLabels = inQuery('language', 'The language of the labels, such as de; English without it')

const header = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

export const ifNoneMatch = header('If-None-Match', 'The ETag of an earlier answer; 304 where nothing has changed since')
export const ifMatch = header(
  'If-Match',
  'The ETag or the version that the record had when it was read; 412 where it has changed since',
)
export const idempotencyKey = header(
  'Idempotency-Key',
  'A word of the caller’s own; the same request is carried out once',
)

export const dryRun: Schema = {
  name: 'dry_run',
  in: 'query',
  description:
    'Everything is checked and nothing is kept. The answer is that of the same request without it, but for the id, UUID, address and version of whatever would be new, which are left out; would_create lists the terms that would be made by name. See docs/dry-run.md',
  schema: { type: 'integer', enum: [1] },
}

/** Parameters of every write. */
export const writeParameters: readonly Schema[] = [dryRun, idempotencyKey]

const inWords: Schema = { schema: text }

/** Headers of every answer to a write. */
export const writeHeaders: Schema = {
  'Change-Set': {
    description: 'The id of the changes that this request, or the first of its kind, has made',
    ...inWords,
  },
  'Idempotent-Replayed': { description: 'true where it had been done before and nothing was changed', ...inWords },
  'Dry-Run': { description: '1 where dry_run was asked for: nothing was kept', ...inWords },
}

export const unchanged: Schema = { description: 'Nothing has changed since the answer with that ETag' }

/** The media types of a format, or of both. */
type Formats = 'json' | 'xml' | 'both'

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

/** Files, by what their format holds. */
export const contentSchemas = {
  json: { type: 'object' },
  text: { type: 'string' },
  binary: { type: 'string', format: 'binary' },
} as const

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

/** Refusals that every request may get. */
export const refusedOften: Schema = {
  '400': responseRef('BadRequest'),
  '403': responseRef('Forbidden'),
  '4XX': responseRef('Problem'),
  '5XX': responseRef('Problem'),
}

interface OpenApiOperation {
  readonly id: string
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly Schema[]
  readonly body?: Schema
  readonly responses: Schema
  /** Absent: as the whole interface; empty: nobody is asked who they are. */
  readonly security?: readonly Schema[]
}

export const operation = ({ id, summary, tag, parameters, body, security, ...rest }: OpenApiOperation): Schema => ({
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
export interface PathVariant {
  readonly extension: string
  readonly formats: Formats
  readonly word: string
}

export const pathVariants: readonly PathVariant[] = [
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

/** The part of a door in the OpenAPI description. */
export interface DoorDescription {
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
  readonly paths?: Paths
  readonly schemas?: Readonly<Record<string, Schema>>
  readonly parameters?: Readonly<Record<string, Schema>>
  readonly responses?: Readonly<Record<string, Schema>>
}
