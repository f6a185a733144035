import { keepDraft } from '../store/drafts.ts'
import { memory } from '../store/memory.ts'
import { isQuotaExceeded, withFreeSpace } from '../sync/storage-quota.ts'

/** What is typed outlasts the app. On a full device, which has said so, it stays on the screen alone. */
export async function keepTyped(key: string, value: unknown): Promise<void> {
  const { database } = memory
  if (database === null) return
  try {
    await withFreeSpace({ database }, () => keepDraft(key, value))
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error
  }
}
