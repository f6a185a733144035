import type { Farm } from '../data/farm.ts'
import type { View } from '../shapes/view.ts'
import { type Answer, fault, json } from './answer.ts'
import { filtered, Unanswerable } from './filters.ts'
import { addressWith, lastValueOf, type Parameter, withPage } from './query.ts'
import type { Property, Resource, Row } from './resources.ts'

/** How the database orders rows of which it was told no order, or which are equal in it. */
export type Ties = 'by id' | 'turned round on every second page'

interface Asked {
  readonly name: string
  readonly resource: Resource
  readonly parameters: readonly Parameter[]
  readonly ties: Ties
  readonly mostPerPage: number
}

export function listOf({ name, resource, parameters, ties, mostPerPage }: Asked, view: View): Answer {
  const rows = filtered(resource, parameters, view.farm)
  const address = `${view.base}/${name}`
  const known = inside(parameters, view.farm)
  const at = (page: number): string => addressWith(address, withPage(known, page))
  const self = addressWith(address, known)
  const limit = limitIn(parameters, mostPerPage)
  if (Number.isNaN(limit)) return json({ self, first: at(0), last: at(Infinity).replace('Infinity', 'INF'), list: [] })
  // Not rounded up: where the last page is full, an empty one follows.
  const last = Math.floor(rows.length / limit)
  const page = Number.parseInt(lastValueOf(parameters, 'page') ?? '0', 10) || 0
  if (page < 0 || page > last || limit < 1) return fault(404, "Page doesn't exist.")
  const sorted = inOrder(rows, parameters, { resource, isTurned: ties !== 'by id' && page % 2 === 1 })
  const shown = sorted.slice(page * limit, (page + 1) * limit).filter(({ source }) => resource.isVisible(source, view))
  return json({
    self,
    first: at(0),
    last: at(last),
    ...(page !== 0 && { prev: at(page - 1) }),
    ...(page !== last && { next: at(page + 1) }),
    list:
      lastValueOf(parameters, 'full') === '0' ? shortly(shown, { name, resource, view }) : full(shown, resource, view),
  })
}

/** The most is also the default: asking for more, for 0 or for nothing gives just that. */
function limitIn(parameters: readonly Parameter[], most: number): number {
  const asked = lastValueOf(parameters, 'limit')
  if (asked === undefined || asked === '') return most
  if (!/^-?\d+$/.test(asked)) return Number.NaN
  return asked === '0' || Number(asked) > most ? most : Number(asked)
}

interface Order {
  readonly resource: Resource
  readonly isTurned: boolean
}

/** Without `sort` rows come by type, so that a walk by pages alone meets what is written meanwhile anywhere. */
function inOrder(
  rows: readonly Row<unknown>[],
  parameters: readonly Parameter[],
  { resource: { idName, properties: known }, isTurned }: Order,
) {
  const sort = lastValueOf(parameters, 'sort')
  if (sort !== undefined && !known.includes(sort)) throw new Unanswerable(fault(500, 'Query failed.'))
  const sign = lastValueOf(parameters, 'direction')?.toUpperCase() === 'DESC' ? -1 : 1
  const ofTies = isTurned ? -1 : 1
  const key = ({ properties, bundle }: Row<unknown>) => (sort === undefined ? bundle : properties[sort])
  return rows.toSorted(
    (a, b) => sign * compared(key(a), key(b)) || ofTies * compared(a.properties[idName], b.properties[idName]),
  )
}

const compared = (a: Property | undefined, b: Property | undefined): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).toLowerCase().localeCompare(String(b).toLowerCase(), 'en')

const full = (rows: readonly Row<unknown>[], resource: Resource, view: View) =>
  resource.shown(
    rows.map(({ source }) => source),
    view,
  )

/** In the short form, and only there, the id of a record is a number. */
const shortly = (
  rows: readonly Row<unknown>[],
  { name, resource, view }: Pick<Asked, 'name' | 'resource'> & { view: View },
) =>
  rows.map(({ properties }) => {
    const id = properties[resource.idName]
    return { uri: `${view.base}/${name}/${id}`, id, resource: name }
  })

/** In links a field has the name that the database knows. */
const inside = (parameters: readonly Parameter[], { bundles }: Farm): Parameter[] =>
  parameters.map((parameter) =>
    bundles.some(({ fields }) => parameter.name in fields)
      ? { ...parameter, name: `field_farm_${parameter.name}` }
      : parameter,
  )
