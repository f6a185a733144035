/** One change as `/changes` tells it, on a page or as an event. */
export interface FarmChange<Record = unknown> {
  /** `log`, `farm_asset`, `taxonomy_term` or `quantity`. */
  readonly type: string
  readonly id: string
  readonly uuid: string
  readonly version: string
  readonly verb: 'create' | 'update' | 'remove'
  readonly at: string
  readonly uid: string | null
  readonly set: string | null
  /** Not there where the record was removed, or records were not asked for. */
  readonly record?: Record
}

/** A page of `/changes`. */
export interface ChangePage<Record = unknown> {
  /** Another one after a restore: load everything again. */
  readonly edition: string
  /** Another one when what can be recorded has changed. */
  readonly catalogue: string
  readonly changes: readonly FarmChange<Record>[]
  /** The cursor behind these changes: keep it together with them. */
  readonly next: string
  readonly more: boolean
}

/** Pages of changes, or their stream if a caller accepts `text/event-stream`. */
export const changesPath = (cursor: string): string => `/changes?since=${encodeURIComponent(cursor)}`

/** Reads what changed after a cursor, page by page, to the end of what there is now. */
export async function* changePages<Record>(
  read: (path: string) => Promise<ChangePage<Record>>,
  cursor: string,
): AsyncGenerator<ChangePage<Record>> {
  for (let since = cursor; ; ) {
    const page = await read(changesPath(since))
    yield page
    if (!page.more) return
    since = page.next
  }
}

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string
  readonly data: string
  readonly id: string
}

/** A farm says something every 20 seconds, if only a comment: what is silent for longer is a lost connection. */
const longestSilence = 60_000

/** The bytes of an answer, until it ends or falls silent. */
export async function* heard(body: ReadableStream<Uint8Array>, silence = longestSilence): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silence)
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function withinTime<T>(awaited: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('The stream of changes fell silent.')), milliseconds)
  })
  return Promise.race([awaited, silence]).finally(() => clearTimeout(timer))
}

/** The events of a stream (HTML Living Standard, 9.2), as they come. */
export async function* serverEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let left = ''
  let id = ''
  let event = ''
  let data: string[] = []
  for await (const chunk of bytes) {
    const lines = (left + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/)
    left = lines.pop() ?? ''
    for (const line of lines) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (field === 'id') id = value
      else if (field === 'event') event = value
      else if (field === 'data') data.push(value)
      if (line !== '') continue
      if (data.length > 0 || event !== '' || id !== '') yield { event: event || 'message', data: data.join('\n'), id }
      event = ''
      data = []
    }
  }
}

/** Not every browser makes one outside of https, so it is made of random bytes (RFC 9562, version 4). */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, at) => versioned(byte, at).toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function versioned(byte: number, at: number): number {
  if (at === 6) return (byte & 0x0f) | 0x40
  return at === 8 ? (byte & 0x3f) | 0x80 : byte
}

export const isUuid = (given: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)
