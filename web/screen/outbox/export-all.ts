import { tell } from '../../look/undo.tsx'
import { memory } from '../../store/memory.ts'
import { exported, handOut } from '../../sync/export.ts'
import { opened } from '../../sync/shown.ts'
import { isoDay, now } from '../../words/format.ts'
import { say } from '../device-say.ts'

/** All that waits, as a file in the person's hands; nothing of it leaves the outbox. */
export async function exportAll(): Promise<void> {
  const database = memory.database ?? opened.copy?.database
  if (database === undefined) return
  const { bytes, leftOut } = await exported(database)
  handOut(bytes, `furrow-outbox-${isoDay(now())}.json`)
  if (leftOut > 0) tell(say('outbox.not-in-file', { count: leftOut }))
}
