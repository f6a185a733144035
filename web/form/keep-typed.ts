import { keepDraft } from '../store/drafts.ts'
import { memory } from '../store/memory.ts'
import { isFull, withRoom } from '../sync/room.ts'

/** What is typed outlasts the app. On a full device, which has said so, it stays on the screen alone. */
export async function keepTyped(key: string, value: unknown): Promise<void> {
  const { database } = memory
  if (database === null) return
  try {
    await withRoom({ database }, () => keepDraft(key, value))
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
