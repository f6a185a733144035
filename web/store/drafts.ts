import { memory } from './memory.ts'

/** Reads a draft by the key of its form. */
export async function readDraft<T>(key: string): Promise<T | undefined> {
  return (await memory.database?.get('draft', key)) as T | undefined
}

/** Commits at once: the app may be closed before the write is confirmed. */
export async function keepDraft(key: string, value: unknown): Promise<void> {
  const write = memory.database?.transaction('draft', 'readwrite')
  void write?.store.put(value, key)
  write?.commit()
  await write?.done
}

export async function dropDraft(key: string): Promise<void> {
  await memory.database?.delete('draft', key)
}

/** All drafts whose keys have this prefix. */
export async function draftsUnder<T>(beginning: string): Promise<readonly (readonly [key: string, draft: T])[]> {
  const range = IDBKeyRange.bound(beginning, `${beginning}\uffff`)
  const [keys = [], drafts = []] = await Promise.all([
    memory.database?.getAllKeys('draft', range),
    memory.database?.getAll('draft', range),
  ])
  return keys.map((key, index) => [String(key), drafts[index] as T])
}
