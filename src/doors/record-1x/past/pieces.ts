/** An answer that is put together from texts and from bytes that are at hand: what is between bytes is encoded at once. */
export class Pieces {
  readonly #bytes: Buffer[] = []
  #text = ''

  write(text: string): void {
    this.#text += text
  }

  put(bytes: Buffer): void {
    this.#bytes.push(Buffer.from(this.#text), bytes)
    this.#text = ''
  }

  joined(): Buffer {
    this.#bytes.push(Buffer.from(this.#text))
    this.#text = ''
    return Buffer.concat(this.#bytes)
  }
}
