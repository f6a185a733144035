import { readMeta } from '../store/meta.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import type { Change, Told } from './feed.ts'

export interface Listening {
  readonly take: (told: Told) => Promise<void>
  /** The stream has ended, or the farm is another now. */
  readonly lookAgain: () => void
}

/** Changes of one commit come one by one: they are taken in together. */
const gathering = 150

let source: EventSource | null = null

export async function listenLive(copy: OpenCopy, { take, lookAgain }: Listening): Promise<void> {
  if (source !== null && source.readyState !== EventSource.CLOSED) return
  const cursor = (await readMeta(copy.database, 'cursor')) ?? ''
  const opened = new EventSource(`/changes?since=${encodeURIComponent(cursor)}`)
  source = opened
  let gathered: Change[] = []
  let next = cursor
  opened.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
    if (gathered.length === 0) setTimeout(() => void handOver(), gathering)
    gathered.push(JSON.parse(data) as Change)
    next = lastEventId
  })
  opened.addEventListener('reset', () => {
    opened.close()
    lookAgain()
  })
  let wasOpen = false
  opened.addEventListener('open', () => {
    wasOpen = true
  })
  opened.addEventListener('error', () => {
    if (wasOpen) lookAgain()
    wasOpen = false
  })
  async function handOver(): Promise<void> {
    const changes = gathered
    gathered = []
    if (source === opened) await take({ changes, next })
  }
}

export function stopListening(): void {
  source?.close()
  source = null
}
