import type { FastifyRequest } from 'fastify'
import { allTypeNames, recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { cursorIn, type FeedRequest } from '../../../records/feed.ts'

import { badQuery } from '../../../records/finding/filter.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { parameter } from '../intake/paging.ts'

/** What is asked of the feed. */
export interface FeedQuery extends FeedRequest {
  readonly records: 'shown' | 'left out'
}

export const mostChanges = 1_000

const words: readonly string[] = ['since', 'limit', 'type', 'records']

export function feedQueryIn(request: FastifyRequest): FeedQuery {
  const entries = readQuery(request.url)
  const strange = entries.find(({ name, brackets }) => !words.includes(name) || brackets.length > 0)
  if (strange !== undefined) throw badQuery(strange.name, 'is nothing that the feed can be asked for', words)
  const since = parameter(entries, 'since')
  return {
    since: since === undefined ? 'newest' : cursorIn(since),
    type: typeIn(entries),
    limit: limitIn(entries),
    records: recordsIn(entries),
  }
}

function typeIn(entries: readonly QueryEntry[]): FeedQuery['type'] {
  const asked = parameter(entries, 'type')
  if (asked === undefined) return undefined
  const type = allTypeNames.find((name) => resourceNames[name] === asked)
  const allowed = recordTypeNames.map((name) => resourceNames[name])
  if (type === undefined) throw badQuery('type', `there are no changes of ${JSON.stringify(asked)}`, allowed)
  return type
}

function limitIn(entries: readonly QueryEntry[]): number {
  const asked = parameter(entries, 'limit')
  if (asked === undefined) return mostChanges
  const limit = wholeNumber(asked)
  if (limit !== undefined && limit >= 1 && limit <= mostChanges) return limit
  throw badQuery('limit', `must be a whole number from 1 to ${mostChanges}, not ${JSON.stringify(asked)}`)
}

function recordsIn(entries: readonly QueryEntry[]): FeedQuery['records'] {
  const asked = parameter(entries, 'records') ?? '1'
  if (asked !== '0' && asked !== '1') throw badQuery('records', 'must be 0 or 1', ['0', '1'])
  return asked === '0' ? 'left out' : 'shown'
}
