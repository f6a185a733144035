import { timestampForm } from '../../../fields/time.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { PositionOfStay, StaysAsked } from '../../../storage/history/stay-pages.ts'
import { forever, type StayKind } from '../../../storage/history/stay-rows.ts'
import type { QueryEntry } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { parameter } from '../intake/paging.ts'

export const staysPerPage = 10_000

export const stayKinds: readonly StayKind[] = ['movement', 'membership']

const names: readonly string[] = ['kind', 'from', 'to', 'asset', 'area', 'within', 'after']
const severalTimes: readonly string[] = ['asset', 'area']

/** What a query asks of the stays. */
export function staysAsked(entries: readonly QueryEntry[], now: number): StaysAsked {
  for (const entry of entries) refuseStrange(entry)
  const from = timeIn(entries, 'from') ?? -forever
  const asked: StaysAsked = {
    kind: kindIn(entries),
    now,
    // What lasts now has no end yet, whatever is planned: it reaches into all time to come.
    from: Math.min(from, now),
    to: timeIn(entries, 'to') ?? forever,
    assets: idsIn(entries, 'asset'),
    areas: idsIn(entries, 'area'),
    within: isWithin(entries) ? 'these and all below' : 'these areas',
    after: positionIn(entries),
    limit: staysPerPage,
  }
  if (asked.to <= from) throw badQuery('to', 'must be later than from')
  if (asked.areas.length > 0 && asked.kind === 'membership')
    throw badQuery('area', 'is for movements; who was in a group is asked with /farm_asset.json?group=ID&as_of=TIME')
  if (isWithin(entries) && asked.areas.length === 0) throw badQuery('within', 'goes with area; say which')
  return asked
}

function refuseStrange({ name, brackets }: QueryEntry): void {
  if (!names.includes(name)) throw badQuery(name, 'is nothing that stays can be asked for', names)
  const isList = severalTimes.includes(name) && brackets.every((bracket) => /^\d*$/.test(bracket))
  if (brackets.length > 0 && !isList) throw badQuery(name, 'takes no brackets')
}

function kindIn(entries: readonly QueryEntry[]): StayKind {
  const given = parameter(entries, 'kind') ?? 'movement'
  const kind = stayKinds.find((one) => one === given)
  if (kind === undefined)
    throw badQuery('kind', `must be movement or membership, not ${JSON.stringify(given)}`, stayKinds)
  return kind
}

function timeIn(entries: readonly QueryEntry[], name: 'from' | 'to'): number | undefined {
  const given = parameter(entries, name)
  if (given === undefined) return undefined
  const second = wholeNumber(given)
  if (second === undefined) throw badQuery(name, `must be ${timestampForm}, not ${JSON.stringify(given)}`)
  return second
}

/** Several mean any of them. */
const idsIn = (entries: readonly QueryEntry[], name: 'asset' | 'area'): readonly number[] =>
  entries
    .filter((entry) => entry.name === name)
    .map(({ value }) => {
      const id = wholeNumber(value)
      if (id === undefined) throw badQuery(name, `${JSON.stringify(value)} is not an id`)
      return id
    })

function isWithin(entries: readonly QueryEntry[]): boolean {
  const given = parameter(entries, 'within')
  if (given !== undefined && given !== '0' && given !== '1') throw badQuery('within', 'must be 0 or 1', ['0', '1'])
  return given === '1'
}

export const spelledPosition = ({ asset, began, log, place }: PositionOfStay): string =>
  [asset, began, log, place].join('.')

function positionIn(entries: readonly QueryEntry[]): PositionOfStay | undefined {
  const given = parameter(entries, 'after')
  if (given === undefined) return undefined
  const numbers = given.split('.').map(wholeNumber)
  const [asset, began, log, place] = numbers
  if (numbers.length !== 4 || asset === undefined || began === undefined || log === undefined || place === undefined)
    throw badQuery('after', 'is taken from the next of an earlier page, as it stands there')
  return { asset, began, log, place }
}
