import { mebibyte } from '../../../fields/byte-size.ts'
import { type Change, tellingsIn } from '../../../records/feed/changes.ts'
import { cursorIn } from '../../../records/feed/cursor.ts'
import { readFeed, recordKey } from '../../../records/feed/feed.ts'
import type { Records } from '../../../records/records.ts'
import type { Documents } from '../wire/documents.ts'
import type { EventStream, Events } from './event-stream.ts'
import { changeText, recordsShown } from './spelled-changes.ts'

/** A listener takes this much at a time, and then the next. */
const mostSteps = 200
const enoughBytes = mebibyte

/** What those are told next who listen from there. */
export function eventsAfter(
  installation: Records,
  documents: Documents,
  { cursor, untold, query, base }: EventStream,
): Promise<Events> {
  return installation.database.read(async (snapshot) => {
    const { type, records } = query
    const { state, steps, cursorAfter, hasMore } = await readFeed(snapshot, installation, {
      since: cursorIn(cursor),
      type,
      limit: mostSteps,
    })
    const told = tellingsIn(steps, new Set(untold)).flatMap((change) => (change === null ? [] : [change]))
    const showing = { documents, base, state, now: installation.clock(), enoughBytes }
    const { shown, count } =
      records === 'shown'
        ? await recordsShown(snapshot, told, showing)
        : { shown: new Map<string, Buffer>(), count: told.length }
    const taken = count < told.length ? steps.findIndex(({ entry }) => entry === told[count]?.entry) : steps.length
    const left = new Set(untold)
    const text = tellingsIn(steps.slice(0, taken), left).flatMap((change, index) =>
      change === null ? [] : eventText(cursorAfter(index + 1), change),
    )
    return {
      text: Buffer.concat(text),
      next: cursorAfter(taken),
      untold: left,
      hasMore: hasMore || taken < steps.length,
    }

    function eventText(id: string, change: Change): readonly Buffer[] {
      const json = changeText(change, state, shown.get(recordKey(change.entry)))
      return [Buffer.from(`id: ${id}\nevent: change\ndata: `), json, endOfEvent]
    }
  })
}

const endOfEvent = Buffer.from('\n\n')
