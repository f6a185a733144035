import { keepDraft } from '../store/drafts.ts'
import { memory } from '../store/memory.ts'
import { isQuotaExceeded, withFreeSpace } from '../sync/storage-quota.ts'

/** Query parameter that restores a draft. */
export const draftParameter = 'draft'

/** Stores typed text as a draft. If the device is full, which was reported already, the text is on the screen only. */
export async function keepTyped(key: string, value: unknown): Promise<void> {
  const { database } = memory
  if (database === null) return
  try {
    await withFreeSpace({ database }, () => keepDraft(key, value))
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error
  }
}
