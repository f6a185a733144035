import { memory } from './memory.ts'

/** What somebody was writing, under a name of the form's own. */
export async function readDraft<T>(key: string): Promise<T | undefined> {
  return (await memory.database?.get('draft', key)) as T | undefined
}

/** Committed at once: the app may be closed before it would hear that it was written. */
export async function keepDraft(key: string, value: unknown): Promise<void> {
  const written = memory.database?.transaction('draft', 'readwrite')
  void written?.store.put(value, key)
  written?.commit()
  await written?.done
}

export async function dropDraft(key: string): Promise<void> {
  await memory.database?.delete('draft', key)
}

/** All that were kept under names that begin so. */
export async function draftsUnder<T>(beginning: string): Promise<readonly (readonly [key: string, draft: T])[]> {
  const range = IDBKeyRange.bound(beginning, `${beginning}\uffff`)
  const [keys = [], drafts = []] = await Promise.all([
    memory.database?.getAllKeys('draft', range),
    memory.database?.getAll('draft', range),
  ])
  return keys.map((key, index) => [String(key), drafts[index] as T])
}
