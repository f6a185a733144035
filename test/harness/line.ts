import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEndOfFile } from './end-of-file.ts'

/**
 * What becomes of a request: `cut` never reaches the server, the answer of one that is `lost` never comes back, and one that is `answered`
 * is answered on the way, by a proxy or a server in trouble.
 */
export type Fate = 'pass' | 'cut' | 'lost' | { readonly after: number } | { readonly answered: AnswerOnTheWay }

interface AnswerOnTheWay {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/**
 * The way between a device and its farm, at an address of its own that stays the same while the server behind it ends, begins
 * again, or is another one.
 */
export class Line {
  readonly base: string
  readonly #home: string
  /** Where it leads; null while nobody is there. */
  target: string | null
  fate: (request: IncomingMessage) => Fate = () => 'pass'
  /** Bodies that are handed out in place of the server's, by path. */
  readonly replaced = new Map<string, string>()
  /** Method and address of each request that came, in order. */
  readonly asked: string[] = []
  /** How many streams of events are open. */
  streams = 0

  constructor(base: string, target: string) {
    this.base = base
    this.#home = target
    this.target = target
  }

  /** It leads again where it led first, and nothing befalls what goes over it. */
  mend(): void {
    this.target = this.#home
    this.fate = () => 'pass'
    this.replaced.clear()
  }

  async handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    this.asked.push(`${request.method} ${request.url}`)
    const fate = this.fate(request)
    if (fate === 'cut' || this.target === null) return void request.socket.destroy()
    if (typeof fate === 'object' && 'answered' in fate) return this.#answer(answer, fate.answered)
    if (typeof fate === 'object') await new Promise((resolve) => setTimeout(resolve, fate.after))
    const { 'if-none-match': tag, ...headers } = request.headers
    const isReplaced = this.replaced.has(request.url ?? '')
    const onward = ask(new URL(request.url ?? '/', this.target), {
      method: request.method,
      headers: { ...headers, ...(isReplaced || tag === undefined ? {} : { 'if-none-match': tag }) },
    })
    onward.on('error', () => request.socket.destroy())
    onward.on('response', (came) => this.#handBack(came, answer, fate))
    answer.on('close', () => onward.destroy())
    request.pipe(onward)
  }

  #answer(answer: ServerResponse, { status, headers = {}, body = {} }: AnswerOnTheWay): void {
    answer.req.resume()
    answer.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(body))
  }

  #handBack(came: IncomingMessage, answer: ServerResponse, fate: Fate): void {
    if (fate === 'lost') {
      came.resume().on('end', () => answer.destroy())
      return
    }
    const body = this.replaced.get(answer.req.url ?? '')
    if (body !== undefined) {
      came.resume()
      const { 'content-length': _length, 'content-encoding': _coding, etag: _tag, ...headers } = came.headers
      answer.writeHead(200, headers).end(body)
      return
    }
    if (came.headers['content-type']?.startsWith('text/event-stream')) this.#countStream(answer)
    answer.writeHead(came.statusCode ?? 502, came.headers)
    came.on('error', () => answer.destroy())
    came.pipe(answer)
  }

  #countStream(answer: ServerResponse): void {
    this.streams += 1
    answer.on('close', () => {
      this.streams -= 1
    })
  }
}

export async function openLine(target: string): Promise<Line> {
  let line: Line | undefined
  const server = createServer((request, answer) => void line?.handle(request, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  line = new Line(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, target)
  atEndOfFile(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return line
}
