import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Farm } from '../../farm/farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import { isFull, linksOf, pageOf, pagingIn, refuseAsOf } from '../../wire-1x/list-query.ts'
import type { WireDocument } from '../../wire-1x/record-template.ts'
import { listedOf, type ShortList, usersFor, vocabulariesFor } from '../../wire-1x/short-lists.ts'
import { itemIn, plainReference } from '../../wire-1x/spelling.ts'
import { callerOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  idRef,
  ifNoneMatch,
  objectOf,
  operation,
  type Paths,
  pathVariants,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  text,
  unchanged,
  webAddress,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { answerWithList, deliver, sendOne, withEtag } from '../http/record-answers.ts'
import { idParameter, listSchema, pageParameters } from '../http/record-parameters.ts'
import { recordIdIn } from '../http/record-path.ts'

/** Users and vocabularies (spec 2.4, 2.7). */
export function shortListRoutes(app: FastifyInstance, installation: Records): void {
  for (const { path, read } of lists) {
    const listOf = async (request: FastifyRequest): Promise<ShortList> => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      return read(installation, { caller, base: baseAddressOf(request, installation) })
    }
    for (const { extension } of pathVariants) {
      app.get(path + extension, async (request, reply) => sendShortList(request, reply, await listOf(request)))
    }
    app.get(`${path}/:id`, async (request, reply) => sendOneOfShortList(request, reply, await listOf(request)))
  }
}

function sendShortList(request: FastifyRequest, reply: FastifyReply, shortList: ShortList): FastifyReply {
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
  return deliver(reply, withEtag(request, answer))
}

function sendOneOfShortList(request: FastifyRequest, reply: FastifyReply, { type, all }: ShortList): FastifyReply {
  refuseAsOf(readQuery(request.url))
  const id = recordIdIn(request)
  const one = all.find((candidate) => candidate.id === String(id))
  if (one === undefined) throw new Refusal('not-found', `There is no ${type} ${id}.`)
  return sendOne(request, reply, { root: resourceNames[type], json: JSON.stringify(one) })
}

const userSchema = objectOf({
  properties: {
    uid: idRef,
    id: idRef,
    name: text,
    url: webAddress,
    mail: { type: 'string', description: 'Of oneself only' },
  },
  required: ['uid', 'id', 'name', 'url'],
})

const vocabularySchema = (names: readonly string[]) =>
  completeObject({
    vid: idRef,
    id: idRef,
    name: text,
    machine_name: { type: 'string', enum: names },
    description: text,
    url: webAddress,
  })

export const shortListsDescription = (farm: Farm): DoorDescription => ({
  paths: Object.assign({}, ...lists.map(shortListPaths)),
  schemas: { Vocabulary: vocabularySchema(Object.keys(farm.records.term.bundles)), User: userSchema },
})

/** A collection that is short enough to be at hand as a whole. */
interface DescribedList<D = WireDocument> {
  readonly path: string
  readonly read: (...request: Parameters<typeof usersFor>) => Promise<ShortList & { readonly all: readonly D[] }>
  /** The name of its schema, and of one of them in an operation's id. */
  readonly one: string
  readonly many: string
  /** Completes the sentence "List …". */
  readonly listed: string
  readonly filters: readonly string[]
}

const vocabularyList: DescribedList<DocumentOf<ReturnType<typeof vocabularySchema>>> = {
  path: `/${resourceNames.vocabulary}`,
  read: vocabulariesFor,
  one: 'Vocabulary',
  many: 'Vocabularies',
  listed: 'the vocabularies and their numbers',
  filters: ['vid', 'id', 'name', 'machine_name', 'description'],
}

const userList: DescribedList<DocumentOf<typeof userSchema>> = {
  path: `/${resourceNames.user}`,
  read: usersFor,
  one: 'User',
  many: 'Users',
  listed: 'who can be named',
  filters: ['uid', 'id', 'name'],
}

const lists: readonly DescribedList[] = [vocabularyList, userList]

const filter = (name: string): Schema => ({
  name,
  in: 'query',
  style: 'form',
  explode: true,
  schema: { type: 'array', items: { type: 'string' } },
})

function shortListPaths(shortList: DescribedList): Paths {
  const paths: Paths = {}
  for (const spelling of pathVariants) {
    const { extension, formats, word } = spelling
    paths[shortList.path + extension] = {
      get: operation({
        id: `list${shortList.many}${word}`,
        summary: `List ${shortList.listed}`,
        tag: 'farm',
        parameters: [...pageParameters(spelling), ...shortList.filters.map(filter), ifNoneMatch],
        responses: {
          '200': answer('A page of them', formats, listSchema(schemaRef(shortList.one), spelling)),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    }
    paths[`${shortList.path}/{id}${extension}`] = {
      parameters: [idParameter],
      get: operation({
        id: `read${shortList.one}${word}`,
        summary: `Read one ${shortList.one.toLowerCase()}`,
        tag: 'farm',
        parameters: [ifNoneMatch],
        responses: {
          '200': answer('It', formats, schemaRef(shortList.one)),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    }
  }
  return paths
}
