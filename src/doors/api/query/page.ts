import { badQuery } from '../../../records/finding/filter.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { type Given, type Parameters, written } from './parameters.ts'

/** Which part of a list is asked for. */
export interface PageAsked {
  readonly offset: number
  readonly limit: number
}

/** Clients ask for more and follow `next`: so a page simply has no more than this. */
const mostPerPage = 50

export function pageIn(parameters: Parameters): PageAsked {
  const given = parameters.get('page') ?? noMembers
  if (typeof given === 'string') throw badQuery('page', 'takes page[limit] and page[offset]')
  refuseOthers(given)
  return {
    offset: numberIn(given, 'offset', 0) ?? 0,
    limit: Math.min(numberIn(given, 'limit', 1) ?? mostPerPage, mostPerPage),
  }
}

const noMembers: ReadonlyMap<string, Given> = new Map()

function refuseOthers(given: ReadonlyMap<string, Given>): void {
  const other = [...given.keys()].find((name) => name !== 'limit' && name !== 'offset')
  if (other !== undefined) throw badQuery(written('page', other), 'is not known here', ['page[limit]', 'page[offset]'])
}

function numberIn(given: ReadonlyMap<string, Given>, name: string, least: number): number | undefined {
  const value = given.get(name)
  if (value === undefined) return undefined
  const number = typeof value === 'string' ? wholeNumber(value) : undefined
  if (number !== undefined && number >= least) return number
  throw badQuery(written('page', name), `must be a whole number from ${least} up`)
}
