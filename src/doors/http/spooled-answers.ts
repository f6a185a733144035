import { createHash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { limits } from '../../limits.ts'
import { Refusal } from '../../refusal.ts'
import type { Database, Snapshot } from '../../storage/database.ts'
import { streamBudgetOf } from './answer-budget.ts'
import { AccountQueue, Semaphore } from './concurrency.ts'
import { isNotModified } from './record-answers.ts'

/** An answer of any length, piece by piece. */
interface AnswerStream {
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: AsyncIterable<string | Buffer>
}

interface SpoolRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Pick<Caller, 'uid'>
  readonly write: (snapshot: Snapshot) => Promise<AnswerStream>
}

interface SpooledAnswer extends Pick<AnswerStream, 'headers'> {
  readonly spool: Spool
}

/**
 * Answers of any length, each of one moment and whole before its first byte is sent. A place is held while rows are read, not while
 * the caller reads. After each piece the next account has its turn, so that a long answer delays a short one by a few pieces only.
 */
export class SpooledAnswers {
  readonly #database: Database
  readonly #accounts = new AccountQueue()
  readonly #open = new Semaphore(limits.sheetsOpen)
  readonly #atWork = new Semaphore(limits.sheetsAtOnce)

  constructor(database: Database) {
    this.#database = database
  }

  async send({ request, reply, caller, write }: SpoolRequest): Promise<FastifyReply> {
    const { spool, headers } = await this.#accounts.whileInside(caller.uid, () =>
      this.#open.whileInside(() => this.#spooled({ request, reply, write })),
    )
    const { etag, body } = spool.finish()
    if (isNotModified(request, etag)) {
      if (body instanceof Readable) body.destroy()
      return reply.code(304).header('etag', etag).send()
    }
    return reply.headers({ ...headers, etag, 'content-length': spool.length }).send(body)
  }

  #spooled({ request, reply, write }: Omit<SpoolRequest, 'caller'>): Promise<SpooledAnswer> {
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

  async *#inTurns(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
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

/** More than this is not held in memory, but in a file that has no name any more. */
const mostInMemory = 4 * mebibyte

/**
 * An answer of any length that is put together as a whole before its first byte is sent: so it is of one moment without keeping the
 * database waiting for a slow reader, its length is known, and what fails on the way is a refusal and not half an answer.
 */
class Spool {
  readonly #hash = createHash('sha256')
  #pieces: Buffer[] = []
  #inMemory = 0
  #file: number | undefined
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: string | Buffer): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    this.#hash.update(bytes)
    this.#pieces.push(bytes)
    this.#length += bytes.length
    this.#inMemory += bytes.length
    if (this.#inMemory > mostInMemory) this.#moveOut()
  }

  /** The whole, which can be taken once, and a tag of its bytes. */
  finish(): { readonly etag: string; readonly body: Buffer | Readable } {
    const etag = `"${this.#hash.digest('base64url')}"`
    if (this.#file === undefined) return { etag, body: Buffer.concat(this.#pieces) }
    this.#moveOut()
    return { etag, body: createReadStream('', { fd: this.#file, start: 0 }) }
  }

  discard(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#pieces = []
  }

  #moveOut(): void {
    try {
      this.#file ??= openNameless()
      const file = this.#file
      for (const piece of this.#pieces) writeWhole(file, piece)
    } catch (error) {
      this.discard()
      throw new Refusal('busy', 'There is no room for temporary files on the server. Ask for less at a time.', {
        retryAfterSeconds: 30,
        cause: error,
      })
    }
    this.#pieces = []
    this.#inMemory = 0
  }
}

/** A file that only this process can read, and that is gone as soon as it is closed. */
function openNameless(): number {
  const path = join(tmpdir(), `furrow-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return file
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
}
