import { tell } from '../../look/undo.tsx'
import { memory } from '../../store/memory.ts'
import { exported, handOut } from '../../sync/export.ts'
import { isoDay, now } from '../../words/format.ts'
import { say } from '../device-say.ts'

/** All that waits, as a file in the person's hands; nothing of it leaves the outbox. */
export async function exportAll(): Promise<void> {
  if (memory.database === null) return
  const { bytes, leftOut } = await exported(memory.database)
  handOut(bytes, `furrow-outbox-${isoDay(now())}.json`)
  if (leftOut > 0) tell(say('outbox.not-in-file', { count: leftOut }))
}
