import { createHash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { mebibyte } from '../../../fields/byte-size.ts'
import { Refusal } from '../../../refusal.ts'

/** More than this is not held in memory, but in a file that has no name any more. */
const mostInMemory = 4 * mebibyte

/**
 * An answer of any length that is put together as a whole before its first byte is sent: so it is of one moment without keeping the
 * database waiting for a slow reader, its length is known, and what fails on the way is a refusal and not half an answer.
 */
export class Spool {
  readonly #hash = createHash('sha256')
  #pieces: Buffer[] = []
  #inMemory = 0
  #file: number | undefined
  #length = 0

  get length(): number {
    return this.#length
  }

  add(text: string): void {
    const bytes = Buffer.from(text)
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
