import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import { isFull, linksOf, pageOf, pagingIn, refuseAsOf } from '../../wire-1x/list-query.ts'
import { listedOf, type ShortList, shortLists } from '../../wire-1x/short-lists.ts'
import { itemIn, plainReference } from '../../wire-1x/spelling.ts'
import { callerOf } from '../http/caller.ts'
import { formatOfRead } from '../http/negotiation.ts'
import { baseAddressOf } from '../http/origin.ts'
import { answerWithList, deliver, sendOne, withEtag } from '../http/record-answers.ts'
import { recordIdIn } from '../http/record-path.ts'

/** Users and vocabularies (spec 2.4, 2.7). */
export function shortListRoutes(app: FastifyInstance, installation: Records): void {
  for (const [resource, listFor] of Object.entries(shortLists)) {
    const listOf = async (request: FastifyRequest): Promise<ShortList> => {
      const caller = await callerOf(request, installation)
      requireRight(caller, 'read-records')
      return listFor(installation, { caller, base: baseAddressOf(request, installation) })
    }
    for (const path of [`/${resource}`, `/${resource}.json`, `/${resource}.xml`]) {
      app.get(path, async (request, reply) => sendShortList(request, reply, await listOf(request)))
    }
    app.get(`/${resource}/:id`, async (request, reply) => sendOneOfShortList(request, reply, await listOf(request)))
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
