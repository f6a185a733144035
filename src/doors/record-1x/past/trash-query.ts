import type { FastifyRequest } from 'fastify'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { allTypeNames, recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { PageRequest } from '../../../records/finding/paging.ts'
import type { Restoration } from '../../../records/writing/restore.ts'
import { Refusal } from '../../../refusal.ts'
import { mostTrashDays } from '../../../storage/settings.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { pagingIn, parameter } from '../intake/paging.ts'
import { refuseOthers } from './asked.ts'

/** The UUID in a path such as `/trash/0190…` or `/trash/0190….json`. */
export function uuidOf(request: FastifyRequest): string {
  // Every route that asks this has a `:uuid`.
  const { uuid } = request.params as { readonly uuid: string }
  const found = uuidIn(uuid.replace(/\.json$/i, ''))
  if (found === undefined) throw new Refusal('not-found', `${JSON.stringify(uuid)} is not a UUID.`)
  return found
}

export function pageAsked(request: FastifyRequest): PageRequest & { readonly types: readonly RecordTypeName[] } {
  const entries = entriesOf(request, ['page', 'limit', 'type'])
  const wanted = parameter(entries, 'type')
  const types = allTypeNames.filter((type) => wanted === undefined || resourceNames[type] === wanted)
  if (types.length === 0) throw badQuery('type', `${JSON.stringify(wanted)} is no type of records`, resources)
  return { ...pagingIn(entries), types }
}

const resources = recordTypeNames.map((type) => resourceNames[type])

export function restorationAsked(request: FastifyRequest): Pick<Restoration, 'referents' | 'missing'> {
  const entries = entriesOf(request, ['with', 'drop', 'dry_run'])
  return {
    referents: isAsked(entries, 'with', 'referents') ? 'restore' : 'refuse',
    missing: isAsked(entries, 'drop', 'missing') ? 'drop' : 'refuse',
  }
}

function isAsked(entries: readonly QueryEntry[], name: string, word: string): boolean {
  const given = parameter(entries, name)
  if (given !== undefined && given !== word)
    throw badQuery(name, `takes ${word} here, not ${JSON.stringify(given)}`, [word])
  return given === word
}

/** How many days ago what is to end was removed; 0 where everything is. */
export function emptyingAsked(request: FastifyRequest): number {
  const given = parameter(entriesOf(request, ['older_than', 'dry_run']), 'older_than')
  if (given === undefined) return 0
  const days = wholeNumber(given)
  if (days === undefined || days < 0 || days > mostTrashDays) {
    throw badQuery(
      'older_than',
      `must be a whole number of days from 0 to ${mostTrashDays}, not ${JSON.stringify(given)}`,
    )
  }
  return days
}

function entriesOf(request: FastifyRequest, names: readonly string[]): readonly QueryEntry[] {
  const entries = readQuery(request.url)
  refuseOthers(entries, names)
  return entries
}
