import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../house/tree.ts'

interface KeptStore {
  readonly name: string
  readonly keyPath: string | readonly string[] | null
  readonly autoIncrement: boolean
  readonly indexes: readonly {
    readonly name: string
    readonly keyPath: string | string[]
    readonly multiEntry: boolean
  }[]
  /** Of a store without a key of its own, each with it. Bytes are spelled in base64. */
  readonly rows: readonly { readonly key?: string; readonly value: unknown }[]
}

/** A database as some version of the app has left it on a device. */
export interface KeptDatabase {
  readonly version: number
  readonly stores: readonly KeptStore[]
}

const folder = join(root, 'test/fixtures/app')

/** One for each version, the oldest first. */
export function keptDatabases(): KeptDatabase[] {
  return readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as KeptDatabase)
    .sort((one, other) => one.version - other.version)
}

export async function putDatabase(page: Page, name: string, kept: KeptDatabase): Promise<void> {
  await page.evaluate(`(${put})(${JSON.stringify({ name, kept })})`)
}

export async function takeDatabase(page: Page, name: string): Promise<KeptDatabase> {
  return page.evaluate(`(${take})(${JSON.stringify(name)})`)
}

const settled = `const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})`

const put = `async ({ name, kept }) => {
  ${settled}
  const bytesIn = (value) => value instanceof Array ? value.map(bytesIn)
    : value === null || typeof value !== 'object' ? value
    : 'base64' in value ? new Blob([Uint8Array.from(atob(value.base64), (letter) => letter.charCodeAt(0))], { type: value.type })
    : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, bytesIn(part)]))
  const opening = indexedDB.open(name, kept.version)
  opening.onupgradeneeded = () => {
    for (const { name, keyPath, autoIncrement, indexes } of kept.stores) {
      const store = opening.result.createObjectStore(name, { keyPath, autoIncrement })
      for (const { name, keyPath, multiEntry } of indexes) store.createIndex(name, keyPath, { multiEntry })
    }
  }
  const database = await settled(opening)
  const transaction = database.transaction(kept.stores.map(({ name }) => name), 'readwrite')
  const done = new Promise((resolve) => { transaction.oncomplete = resolve })
  for (const { name, rows } of kept.stores)
    for (const { key, value } of rows) transaction.objectStore(name).put(bytesIn(value), key)
  await done
  database.close()
}`

const take = `async (name) => {
  ${settled}
  const spelled = async (value) => {
    if (value instanceof Array) return Promise.all(value.map(spelled))
    if (value instanceof Blob) {
      const bytes = new Uint8Array(await value.arrayBuffer())
      return { base64: btoa(String.fromCharCode(...bytes)), type: value.type }
    }
    if (value === null || typeof value !== 'object') return value
    const parts = Object.entries(value).map(async ([name, part]) => [name, await spelled(part)])
    return Object.fromEntries(await Promise.all(parts))
  }
  const database = await settled(indexedDB.open(name))
  const names = [...database.objectStoreNames]
  const transaction = database.transaction(names)
  const stores = await Promise.all(names.map(async (name) => {
    const store = transaction.objectStore(name)
    const { keyPath, autoIncrement } = store
    const indexes = [...store.indexNames].map((index) => {
      const { name, keyPath, multiEntry } = store.index(index)
      return { name, keyPath, multiEntry }
    })
    const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())])
    return { name, keyPath, autoIncrement, indexes, keys, values }
  }))
  const { version } = database
  database.close()
  const rowsOf = async ({ keys, values, keyPath, ...store }) => {
    const rows = values.map(async (value, at) => ({ ...(keyPath === null && { key: keys[at] }), value: await spelled(value) }))
    return { ...store, keyPath, rows: await Promise.all(rows) }
  }
  return { version, stores: await Promise.all(stores.map(rowsOf)) }
}`
