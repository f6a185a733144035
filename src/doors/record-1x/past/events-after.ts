import { mebibyte } from '../../../fields/byte-size.ts'
import { cursorIn, readFeed, tellingsIn } from '../../../records/feed.ts'


import type { Records } from '../../../records/records.ts'
import type { Documents } from '../wire/documents.ts'
import type { EventStream, Events } from './event-stream.ts'
import { Pieces } from './pieces.ts'
import { recordsShown, spellChange } from './spelled-changes.ts'

/** A listener takes this much at a time, and then the next. */
const mostSteps = 200
const enoughBytes = mebibyte

/** What those are told next who listen from there. */
export function eventsAfter(
  installation: Records,
  documents: Documents,
  { cursor, untold, query, base, trash }: EventStream,
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
      records === 'shown' ? await recordsShown(snapshot, told, showing) : { shown: new Map(), count: told.length }
    const taken = count < told.length ? steps.findIndex(({ entry }) => entry === told[count]?.entry) : steps.length
    const left = new Set(untold)
    const pieces = new Pieces()
    for (const [index, change] of tellingsIn(steps.slice(0, taken), left).entries()) {
      if (change === null) continue
      pieces.write(`id: ${cursorAfter(index + 1)}\nevent: change\ndata: `)
      spellChange(pieces, change, { state, shown, trash })
      pieces.write('\n\n')
    }
    return {
      text: pieces.joined(),
      next: cursorAfter(taken),
      untold: left,
      hasMore: hasMore || taken < steps.length,
    }
  })
}
