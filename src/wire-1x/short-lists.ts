import type { FastifyReply, FastifyRequest } from 'fastify'
import { deliver, tagged } from '../doors/http/answers/ready-answer.ts'
import { answerWithList, itemIn, sendOne } from '../doors/http/answers/record-answers.ts'
import { formatOfRead } from '../doors/http/negotiation.ts'
import { recordIdIn } from '../doors/http/record-path.ts'
import { resourceNames } from '../farm/resource-names.ts'
import { textKey } from '../fields/key.ts'
import { shown } from '../fields/place.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { readQuery } from '../formats/query-string.ts'
import { wholeNumber } from '../formats/scalars.ts'
import { badQuery } from '../records/finding/filter.ts'
import { Refusal } from '../refusal.ts'
import { filtersOf, isFull, refuseAsOf, sortingOf } from './list-query.ts'
import { linksOf, pageOf, pagingIn } from './paging.ts'
import type { WireDocument } from './record-template.ts'
import { plainReference } from './spelling.ts'

/** A collection that is short enough to be at hand as a whole: vocabularies, users. */
export interface ShortList {
  readonly type: 'vocabulary' | 'user'
  readonly base: string
  readonly all: readonly WireDocument[]
  /** The fields that it can be filtered and sorted by. */
  readonly names: readonly string[]
}

export function sendShortList(request: FastifyRequest, reply: FastifyReply, shortList: ShortList): FastifyReply {
  const entries = readQuery(request.url)
  refuseAsOf(entries)
  const paging = pagingIn(entries)
  const { last, list } = pageOf(listedOf(shortList, entries), paging)
  const page = isFull(entries) ? list : list.map(({ id }) => plainReference(shortList.base, shortList.type, Number(id)))
  const form = { format: formatOfRead(request), item: resourceNames[shortList.type] }
  const answer = answerWithList(form.format, {
    links: linksOf(request, shortList.base, { ...paging, last }),
    list: page.map((one) => itemIn(form, Buffer.from(JSON.stringify(one)))),
  })
  return deliver(reply, tagged(request, answer))
}

export function sendOneOfShortList(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, all }: ShortList,
): FastifyReply {
  refuseAsOf(readQuery(request.url))
  const id = recordIdIn(request)
  const one = all.find((candidate) => candidate.id === String(id))
  if (one === undefined) throw new Refusal('not-found', `There is no ${type} ${id}.`)
  return sendOne(request, reply, { root: resourceNames[type], json: JSON.stringify(one) })
}

/** Those of the list that a query asks for, in the order that it asks for. */
export const listedOf = (shortList: ShortList, entries: readonly QueryEntry[]): readonly WireDocument[] =>
  inOrder(shortList, alike(shortList, entries), entries)

const idNames: readonly string[] = ['id', 'vid', 'uid']
const idWords: readonly string[] = [...idNames, 'value', 'eq']

/** Those that are equal in every field asked for; several values mean any of them. */
function alike({ all, names }: ShortList, entries: readonly QueryEntry[]): readonly WireDocument[] {
  const wanted = new Map<string, string[]>()
  for (const { name, brackets, value } of filtersOf(entries)) {
    if (!names.includes(name)) throw badQuery(name, 'is not a field that can be filtered', names)
    const strange = brackets.find((bracket) => !/^\d*$/.test(bracket) && !idWords.includes(bracket))
    if (strange !== undefined) throw badQuery(name, `[${strange}] is not an operator here`, ['eq'])
    if (idNames.includes(name) && value !== '' && wholeNumber(value) === undefined)
      throw badQuery(name, `${shown(value)} is not an id`)
    wanted.set(name, [...(wanted.get(name) ?? []), textKey(value)])
  }
  return all.filter((one) => [...wanted].every(([name, values]) => values.includes(textKey(String(one[name] ?? '')))))
}

/** As asked for; without a wish by id. */
function inOrder(
  { names }: ShortList,
  found: readonly WireDocument[],
  entries: readonly QueryEntry[],
): readonly WireDocument[] {
  const { sort = 'id', direction } = sortingOf(entries)
  if (!names.includes(sort)) throw badQuery('sort', `cannot sort by ${JSON.stringify(sort)}`, names)
  const keyOf = (one: WireDocument) => (idNames.includes(sort) ? Number(one[sort]) : textKey(String(one[sort] ?? '')))
  const sign = direction === 'asc' ? 1 : -1
  const keyed = found.map((one) => ({ one, key: keyOf(one) }))
  return keyed.toSorted((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0)).map(({ one }) => one)
}
