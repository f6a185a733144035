import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../../access/caller.ts'
import { limits } from '../../../limits.ts'
import type { Database, Snapshot } from '../../../storage/database.ts'
import { AccountPlaces, Places } from '../places.ts'
import { streamBudgetOf } from './answer-budget.ts'
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
  readonly caller: Pick<Caller, 'uid'>
  readonly write: (snapshot: Snapshot) => Promise<Written>
}

interface SpooledAnswer extends Pick<Written, 'headers'> {
  readonly spool: Spool
}

/**
 * Answers of any length, each of one moment and whole before its first byte is sent. A place is held while rows are read, not while
 * the caller reads. After each piece the next account has its turn, so that a long answer delays a short one by a few pieces only.
 */
export class WholeAnswers {
  readonly #database: Database
  readonly #accounts = new AccountPlaces()
  readonly #open = new Places(limits.sheetsOpen)
  readonly #atWork = new Places(limits.sheetsAtOnce)

  constructor(database: Database) {
    this.#database = database
  }

  async send({ request, reply, caller, write }: Sending): Promise<FastifyReply> {
    const { spool, headers } = await this.#accounts.whileInside(caller.uid, () =>
      this.#open.whileInside(() => this.#spooled({ request, reply, write })),
    )
    const { etag, body } = spool.finish()
    if (isKnown(request, etag)) {
      if (body instanceof Readable) body.destroy()
      return reply.code(304).header('etag', etag).send()
    }
    return reply.headers({ ...headers, etag, 'content-length': spool.length }).send(body)
  }

  #spooled({ request, reply, write }: Omit<Sending, 'caller'>): Promise<SpooledAnswer> {
    return this.#database.read(async (snapshot) => {
      const spool = new Spool()
      // The caller may have left while it waited for a place.
      if (reply.raw.destroyed) return { headers: {}, spool }
      try {
        const { headers, pieces } = await this.#atWork.whileInside(() => write(snapshot))
        for await (const piece of this.#inTurns(pieces)) {
          if (reply.raw.destroyed) break
          spool.add(piece)
        }
        return { headers, spool }
      } catch (error) {
        spool.discard()
        throw error
      }
    }, streamBudgetOf(request))
  }

  async *#inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    const iterator = pieces[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await this.#atWork.whileInside(() => iterator.next())
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
}
