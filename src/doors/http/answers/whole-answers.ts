import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Snapshot } from '../../../storage/database.ts'
import { Places } from '../places.ts'
import { Spool } from './spool.ts'
import { isKnown } from './versions.ts'

/** An answer of any length, piece by piece. */
export interface Written {
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: AsyncIterable<string>
}

interface Sending {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly write: (snapshot: Snapshot) => Promise<Written>
}

/** Answers of any length, each of one moment and whole before its first byte is sent; a few are put together at a time. */
export class WholeAnswers {
  readonly #database: Database
  readonly #places: Places

  constructor(database: Database, mostAtOnce: number) {
    this.#database = database
    this.#places = new Places(mostAtOnce)
  }

  async send({ request, reply, write }: Sending): Promise<FastifyReply> {
    const { spool, headers } = await this.#places.whileInside(() =>
      this.#database.read(async (snapshot) => {
        const { headers, pieces } = await write(snapshot)
        return { headers, spool: await spooled(pieces, reply) }
      }),
    )
    const { etag, body } = spool.finish()
    if (isKnown(request, etag)) {
      if (body instanceof Readable) body.destroy()
      return reply.code(304).header('etag', etag).send()
    }
    return reply.headers({ ...headers, etag, 'content-length': spool.length }).send(body)
  }
}

async function spooled(pieces: AsyncIterable<string>, reply: FastifyReply): Promise<Spool> {
  const spool = new Spool()
  try {
    for await (const piece of pieces) {
      // Nobody waits for it any more.
      if (reply.raw.destroyed) break
      spool.add(piece)
    }
    return spool
  } catch (error) {
    spool.discard()
    throw error
  }
}
