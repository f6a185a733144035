import { effect } from '@preact/signals'
import { animalBundle } from '../../src/farm/bundle-names.ts'
import { daysBetween, now } from '../words/format.ts'
import { isUnsent, memory, unsentRows } from './memory.ts'
import {
  type CopyRow,
  folded,
  foldedWords,
  isArchived,
  type LocalRecord,
  lotRef,
  recordOf,
  tagsOf,
  wordRef,
} from './record.ts'
import { countedHeads } from './stays.ts'

interface SearchEntry {
  readonly record: LocalRecord
  readonly name: string
  /** Ear tags, lots, nicknames: as written, and their digits alone. */
  readonly others: readonly string[]
}

const most = 50
let entries: readonly SearchEntry[] | null = null
effect(() => {
  memory.assets.value
  memory.terms.value
  entries = null
})

/** Searches assets, areas, terms and logs by name, tag or lot; the best match first. */
export async function search(text: string): Promise<LocalRecord[]> {
  const logs = await searchLogs(text)
  return [...searchNames(text), ...logs]
}

/** Searches records in memory only, without logs. */
export function searchNames(text: string, isAmong: (record: LocalRecord) => boolean = () => true): LocalRecord[] {
  const wanted = { text: folded(text), words: foldedWords(text) }
  if (wanted.text === '') return []
  entries ??= [...memory.assets.value.values(), ...memory.terms.value.values()].map(entryOf)
  const byRank: SearchEntry[][] = []
  for (const entry of entries) {
    const rank = rankOf(entry, wanted)
    if (rank === null || !isAmong(entry.record)) continue
    byRank[rank] ??= []
    byRank[rank].push(entry)
  }
  return byRank
    .flatMap((ranked) => ranked.sort(byName))
    .slice(0, most)
    .map(({ record }) => record)
}

const byName = (one: SearchEntry, other: SearchEntry) => (one.name < other.name ? -1 : 1)

/** Searches logs by word prefixes of name or lot. */
export async function searchLogs(text: string): Promise<LocalRecord[]> {
  const words = foldedWords(text)
  const longest = words.toSorted((one, other) => other.length - one.length)[0]
  if (memory.database === null || longest === undefined) return []
  const [byLot, byWord] = await Promise.all([
    beginningWith(lotRef(text.trim().toLowerCase())),
    beginningWith(wordRef(longest)),
  ])
  const named = byWord.filter(({ name }) => hasAll(foldedWords(name), words))
  const rows = new Map([...byLot, ...named].map((row) => [row.uuid, row]))
  return [...rows.values()]
    .sort((one, other) => one.minusTime - other.minusTime)
    .slice(0, most)
    .map(recordOf)
}

async function beginningWith(ref: string): Promise<CopyRow[]> {
  const range = IDBKeyRange.bound([ref], [`${ref}\uffff`])
  const rows = (await memory.database?.getAllFromIndex('record', 'ref', range, 500)) ?? []
  const unsent = unsentRows().filter(({ refs }) => refs.some(([other]) => other.startsWith(ref)))
  return [...rows.filter((row) => !isUnsent(row)), ...unsent]
}

const hasAll = (names: readonly string[], words: readonly string[]) =>
  words.every((word) => names.some((name) => name.startsWith(word)))

function entryOf(record: LocalRecord): SearchEntry {
  const nicknames = record.fields.animal_nicknames
  const labels = [...tagsOf(record), ...(Array.isArray(nicknames) ? nicknames : [nicknames]), record.fields.lot_number]
  const others = labels.filter((one) => typeof one === 'string').flatMap((one) => [folded(one), one.replace(/\D/g, '')])
  return { record, name: folded(record.name), others: others.filter((one) => one !== '') }
}

interface SearchWords {
  readonly text: string
  readonly words: readonly string[]
}

const behindAllOthers = 10

/** Lower is better: exact name, tag, name prefix, word, substring. Archived records come last. */
function rankOf({ record, name, others }: SearchEntry, wanted: SearchWords): number | null {
  const rank = textRank(name, others, wanted.text) ?? wordsRank(name, wanted.words)
  return rank !== null && isArchived(record) ? rank + behindAllOthers : rank
}

function textRank(name: string, others: readonly string[], wanted: string): number | null {
  if (name === wanted) return 0
  if (others.includes(wanted)) return 1
  const at = name.indexOf(wanted)
  if (at === 0) return 2
  if (at > 0 && !/[\p{L}\p{N}]/u.test(name.charAt(at - 1))) return 3
  if (others.some((other) => other.endsWith(wanted))) return 4
  if (at > 0) return 5
  return others.some((other) => other.includes(wanted)) ? 6 : null
}

/** Several words in any order. */
function wordsRank(name: string, words: readonly string[]): number | null {
  return words.length > 1 && words.every((word) => name.includes(word)) && hasAll(foldedWords(name), words) ? 7 : null
}

/** Single animals on the farm without a tag: the oldest first, those without a date of birth last. */
export const untaggedAnimals = (): readonly LocalRecord[] =>
  [...memory.assets.value.values()]
    .filter((asset) => asset.bundle === animalBundle && !isArchived(asset) && tagsOf(asset).length === 0)
    .filter((asset) => countedHeads(asset) === undefined)
    .sort((one, other) => birthOrder(one) - birthOrder(other))

/** Animals have a tag within this time, or the farm keeps none. */
const longestUntagged = 365

/** True for an animal that has had no tag for longer than the farm's settings say. */
export function isTagOverdue(asset: LocalRecord): boolean {
  const days = daysBetween(Number(asset.fields.date ?? 0), now())
  return tagsOf(asset).length === 0 && days >= Number(memory.me.value?.farm.tag_days) && days <= longestUntagged
}

const birthOrder = ({ fields }: LocalRecord): number => Number(fields.date ?? 0) || Number.MAX_SAFE_INTEGER
