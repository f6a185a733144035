import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Records } from '../../../records/records.ts'
import { deliver, type ReadyAnswer } from '../../http/answers/ready-answer.ts'
import { takesDryRun } from '../../http/dry-run.ts'
import { changeFile, keepFile } from './file-change.ts'
import { linkToSender, listOfFiles, oneFile, senderOfFile } from './file-reading.ts'

type Answering = (installation: Records, request: FastifyRequest) => Promise<ReadyAnswer>

/** The files of the farm, as resources. They come with records, or by an upload for one. */
export function fileRoutes(app: FastifyInstance, installation: Records): void {
  const reading = (path: string, answer: Answering) =>
    app.get(path, async (request, reply) => deliver(reply, await answer(installation, request)))
  const all = '/api/file/file'
  const one = `${all}/:uuid`
  reading(all, listOfFiles)
  reading(one, oneFile)
  reading(`${one}/uid`, senderOfFile)
  reading(`${one}/relationships/uid`, linkToSender)
  app.patch(one, takesDryRun, (request, reply) => changeFile(installation, request, reply))
  app.delete(one, takesDryRun, (request) => keepFile(installation, request))
}
