import { tell } from '../../look/undo.tsx'
import { memory } from '../../store/memory.ts'
import { downloadFile, exportOutbox } from '../../sync/export-outbox.ts'
import { session } from '../../sync/session.ts'
import { isoDay, now } from '../../words/format.ts'
import { say } from '../device-say.ts'

/** All that waits, as a file in the person's hands; nothing of it leaves the outbox. */
export async function exportAll(): Promise<void> {
  const database = memory.database ?? session.copy?.database
  if (database === undefined) return
  const { bytes, leftOut } = await exportOutbox(database)
  downloadFile(bytes, `furrow-outbox-${isoDay(now())}.json`)
  if (leftOut > 0) tell(say('outbox.not-in-file', { count: leftOut }))
}
