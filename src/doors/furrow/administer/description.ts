import { roleNames } from '../../../farm/people/roles.ts'
import {
  answer,
  arrayOf,
  completeObject,
  contentOf,
  described,
  operation,
  refusedOften,
  responseRef,
  type Schema,
  text,
} from '../../http/openapi.ts'

/** Values shared by many answers of `/administer`. */
export const id = described('A number, as text', { type: 'string', pattern: '^[1-9][0-9]*$' })
export const seconds = described('Unix seconds, as text', { type: 'string', pattern: '^[0-9]+$' })
export const role = { enum: roleNames } as const
export const texts = arrayOf(text)

export const listed = <const Name extends string, const S extends Schema>(name: Name, item: S) =>
  // The cast is safe: the only member has the given name.
  completeObject({ [name]: arrayOf(item) } as { readonly [N in Name]: { readonly type: 'array'; readonly items: S } })

export const inPath = (name: string, schema: Schema = id): Schema => ({ name, in: 'path', required: true, schema })
export const valueInQuery = (name: string, schema: Schema): Schema => ({ name, in: 'query', schema })
export const notFound = { '404': responseRef('NotFound') }
export const conflict = { '409': responseRef('Conflict') }
export const invalidContent = { '422': responseRef('Invalid') }
export const ended = (description: string): Schema => ({ '204': { description }, ...refusedOften, ...notFound })

interface AdministerOperation {
  readonly id: string
  readonly summary: string
  readonly parameters?: readonly Schema[]
  readonly body?: Schema
  readonly responses: Schema
}

/** An operation of `/administer` with a JSON body. */
export const administer = ({ body, ...told }: AdministerOperation): Schema =>
  operation({ ...told, tag: 'administer', ...(body === undefined ? {} : { body: contentOf('json', body) }) })

export const listAnswer = (description: string, schema: Schema): Schema => ({
  '200': answer(description, 'json', schema),
  ...refusedOften,
})

export const password = completeObject({ password: { type: 'string', format: 'password' } })
