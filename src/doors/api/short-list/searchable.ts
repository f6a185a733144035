import type { Field, Fields } from '../../../fields/field.ts'
import { text } from '../../../fields/text.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Path } from '../query/path.ts'
import type { Drawn } from '../wire/thing.ts'

/** The attributes that resources can be filtered and sorted by, beside their UUID. */
export type Searchable = Fields

interface Searched {
  readonly field: Field
  readonly spelledOf: (drawn: Drawn) => unknown
}

const uuid = text('UUID')

/** What a path of a filter or an order leads to. */
export function searched(searchable: Searchable, path: Path, parameter: string): Searched {
  const [name = '', ...further] = path
  if (name === 'id' && further.length === 0) return { field: uuid, spelledOf: ({ id }) => id }
  const field = further.length === 0 && Object.hasOwn(searchable, name) ? searchable[name] : undefined
  if (field !== undefined) return { field, spelledOf: ({ attributes }) => attributes[name] }
  throw badQuery(parameter, `there is no ${path.join('.')} to ask for`, ['id', ...Object.keys(searchable)])
}
