import { fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { isTree, type Tree } from '../../src/fields/place.ts'

/** Items in one turn of the event loop. */
const inOneTurn = 50

/** The same items, with turns of the event loop in between: a server goes on answering meanwhile. */
export async function* unhurried<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % inOneTurn === 0) await nextTurn()
  }
}

interface Line {
  readonly at: number
  readonly length: number
}

/**
 * One kind of item as an append-only file with one JSON line each. The last line of an id wins; a line cut short by a
 * kill is dropped.
 */
export class JsonLinesStore {
  readonly #file: number
  readonly #lines = new Map<number, Line>()
  readonly #marks = new Set<string>()
  readonly #unnumbered = new Map<number, readonly string[]>()
  readonly #amended = new Map<number, Tree>()
  #shown: (item: Tree) => Tree = (item) => item
  #end = 0

  constructor(path: string) {
    this.#file = openSync(path, 'a+', 0o600)
    this.#load()
  }

  #load(): void {
    const bytes = this.#bytes({ at: 0, length: fstatSync(this.#file).size })
    let at = 0
    for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, at)) {
      this.#note(JSON.parse(bytes.toString('utf8', at, end)), { at, length: end - at })
      at = end + 1
    }
    this.#end = at
    if (at < bytes.length) ftruncateSync(this.#file, at)
  }

  #bytes({ at, length }: Line): Buffer {
    const bytes = Buffer.alloc(length)
    for (let done = 0; done < length; ) {
      const read = readSync(this.#file, bytes, done, length - done, at + done)
      if (read === 0) throw new Error('A file of what was read has become shorter')
      done += read
    }
    return bytes
  }

  #note({ id, gone, mark, page, unnumbered }: Tree, line: Line): void {
    if (typeof mark === 'string') this.#marks.add(mark)
    else if (Array.isArray(unnumbered)) this.#unnumbered.set(Number(page), unnumbered.map(String))
    else if (gone === true) this.#lines.delete(Number(id))
    else this.#lines.set(Number(id), line)
  }

  get size(): number {
    return this.#lines.size
  }

  get ids(): readonly number[] {
    return [...this.#lines.keys()].sort((one, other) => one - other)
  }

  /** 0 without items. */
  get highestId(): number {
    return this.ids.at(-1) ?? 0
  }

  has(id: number): boolean {
    return this.#lines.has(id)
  }

  get(id: number): Tree | undefined {
    const [read, amended] = [this.#read(id), this.#amended.get(id)]
    return read === undefined ? undefined : this.#shown(amended === undefined ? read : { ...read, ...amended })
  }

  #read(id: number): Tree | undefined {
    const line = this.#lines.get(id)
    if (line === undefined) return undefined
    const { record } = JSON.parse(this.#bytes(line).toString('utf8'))
    return isTree(record) ? record : undefined
  }

  /** Sorted by id. */
  *all(): Generator<readonly [number, Tree]> {
    for (const id of this.ids) {
      const record = this.get(id)
      if (record !== undefined) yield [id, record]
    }
  }

  /** Stores items; returns how many are new or changed. */
  keep(records: ReadonlyMap<number, Tree>): number {
    const fresh = [...records].filter(([id, record]) => !isDeepStrictEqual(this.#read(id), record))
    this.#append(fresh.map(([id, record]) => ({ id, record })))
    return fresh.length
  }

  /** Adds fields that the record lacks. Not written to disk: they are requested after every reading. */
  amend(id: number, fields: Tree): void {
    this.#amended.set(id, { ...this.#amended.get(id), ...fields })
  }

  /** Changes what is read out from now on; the file stays as it is. */
  showAs(change: (item: Tree) => Tree): void {
    this.#shown = change
  }

  /** Stores the items of a page that have no id. */
  keepUnnumbered(page: number, unnumbered: readonly string[]): void {
    if (!isDeepStrictEqual(this.#unnumbered.get(page) ?? [], unnumbered)) this.#append([{ page, unnumbered }])
  }

  get unnumbered(): readonly string[] {
    return [...this.#unnumbered.values()].flat()
  }

  drop(ids: readonly number[]): void {
    this.#append(ids.map((id) => ({ id, gone: true })))
  }

  /** Marks a step as done, so that it is not repeated. */
  mark(step: string): void {
    this.#append([{ mark: step }])
  }

  isMarked(step: string): boolean {
    return this.#marks.has(step)
  }

  /** The number in the last mark such as `began 1600000000`. */
  markedNumber(word: string): number | undefined {
    const text = this.marksAfter(word).at(-1)
    return text === undefined ? undefined : Number(text)
  }

  /** The rest of every mark that begins with a word, in the order of their first writing. */
  marksAfter(word: string): readonly string[] {
    return [...this.#marks].flatMap((one) => (one.startsWith(`${word} `) ? [one.slice(word.length + 1)] : []))
  }

  #append(entries: readonly Tree[]): void {
    if (entries.length === 0) return
    const lines = entries.map((entry) => Buffer.from(`${JSON.stringify(entry)}\n`))
    for (let bytes = Buffer.concat(lines); bytes.length > 0; ) bytes = bytes.subarray(writeSync(this.#file, bytes))
    for (const [index, line] of lines.entries()) {
      this.#note(entries[index] ?? {}, { at: this.#end, length: line.length - 1 })
      this.#end += line.length
    }
  }
}

const newline = 0x0a
