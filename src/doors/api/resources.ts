import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Records } from '../../records/records.ts'
import { type LastingAnswer, ResponseCache } from '../http/answers/response-cache.ts'
import { takesDryRun } from '../http/dry-run.ts'
import { type ApiRecords, apiRecords } from './api-records.ts'
import { refuseOnlyRead } from './only-read.ts'
import { listOf, related, relationship, resource } from './reading.ts'
import { addTo, change, drop, make, removeFrom, replaceIn } from './writing.ts'

type Answering = (records: ApiRecords, request: FastifyRequest) => Promise<LastingAnswer>
type WriteRequest = (records: ApiRecords, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The resources that hold records. */
export function resourceRoutes(app: FastifyInstance, installation: Records): void {
  const records = apiRecords(installation)
  const responses = new ResponseCache(installation)
  const reading = (path: string, answer: Answering) =>
    app.get(path, (request, reply) => responses.answer(request, reply, () => answer(records, request)))
  const writing = (method: 'POST' | 'PATCH' | 'DELETE', url: string, write: WriteRequest) =>
    app.route({
      method,
      url,
      ...takesDryRun,
      handler: (request, reply) => {
        refuseOnlyRead(request)
        return write(records, request, reply)
      },
    })
  const all = '/api/:family/:bundle'
  const one = `${all}/:uuid`
  const linkage = `${one}/relationships/:name`
  reading(all, listOf)
  writing('POST', all, make)
  reading(one, resource)
  writing('PATCH', one, change)
  writing('DELETE', one, drop)
  reading(`${one}/:name`, related)
  reading(linkage, relationship)
  writing('POST', linkage, addTo)
  writing('PATCH', linkage, replaceIn)
  writing('DELETE', linkage, removeFrom)
}
