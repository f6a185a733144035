import type { Client, Json } from '../harness/client.ts'

/** One event of a stream, as the browser's parser would hand it over. */
export interface ServerEvent {
  readonly id: string
  readonly event: string
  readonly data: Json
}

/** Listens to /changes over a real connection. */
export class Listener {
  readonly status: number
  readonly headers: Headers
  readonly events: ServerEvent[] = []
  /** Lines that begin with a colon. */
  readonly comments: string[] = []
  /** Resolves when the server has ended the stream, or we have. */
  readonly ended: Promise<void>
  hasEnded = false
  lastId = ''
  /** What it was answered in place of a stream. */
  refusal: Json = null
  readonly #abort: AbortController
  #wake = () => {}

  private constructor(answer: Response, abort: AbortController) {
    this.status = answer.status
    this.headers = answer.headers
    this.#abort = abort
    this.ended = this.#read(answer)
      .catch(() => {})
      .then(() => {
        this.hasEnded = true
      })
  }

  static async open(client: Client, path: string, headers: Record<string, string> = {}): Promise<Listener> {
    const abort = new AbortController()
    const answer = await client.stream(path, {
      headers: { accept: 'text/event-stream', ...headers },
      signal: abort.signal,
    })
    return new Listener(answer, abort)
  }

  get changes(): readonly Json[] {
    return this.events.filter(({ event }) => event === 'change').map(({ data }) => data)
  }

  /** Resolves once so many changes were told. */
  async hears(count: number): Promise<void> {
    while (this.changes.length < count)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }

  close(): Promise<void> {
    this.#abort.abort()
    return this.ended
  }

  async #read(answer: Response): Promise<void> {
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      this.refusal = await answer.json()
      return
    }
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of answer.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) this.#take(block)
    }
  }

  #take(block: string): void {
    let [event, data] = ['message', '']
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
      if (field === '') this.comments.push(value)
      if (field === 'id') this.lastId = value
      if (field === 'event') event = value
      if (field === 'data') data += value
    }
    if (data !== '') this.events.push({ id: this.lastId, event, data: JSON.parse(data) })
    this.#wake()
  }
}
