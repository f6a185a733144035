import { isArchived, type LocalRecord, tagsOf } from '../store/record.ts'

interface TagMatch {
  /** Tag or name equals the typed text. */
  readonly exact: readonly LocalRecord[]
  /** Tag or name begins with the typed text. */
  readonly longer: readonly LocalRecord[]
}

/** Finds animals by tag digits: "117" finds "DE 117", "DE 04 117" and "CH 120.117.8". */
export function animalsTagged(animals: readonly LocalRecord[], typed: string): TagMatch {
  const wanted = plain(typed)
  if (wanted === '') return { exact: [], longer: [] }
  const exact = animals.filter((animal) => wordsOf(animal).includes(wanted))
  const longer = animals.filter(
    (animal) => !exact.includes(animal) && wordsOf(animal).some((word) => word.startsWith(wanted)),
  )
  return { exact, longer }
}

/** Exactly one animal matches, and no longer tag begins the same: no further tap is needed. */
export const isCertain = ({ exact, longer }: TagMatch): boolean => exact.length === 1 && longer.length === 0

/** Names and tags, and each number in them. */
function wordsOf(animal: LocalRecord): readonly string[] {
  const whole = namesOf(animal)
  return [...whole, ...whole.flatMap((word) => word.match(/\d+/g) ?? [])]
}

const namesOf = (animal: LocalRecord): readonly string[] =>
  [animal.name, ...tagsOf(animal)].map(plain).filter((word) => word !== '')

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** Most tags that one entry may name. */
export const mostTags = 500

export interface TypedTags {
  readonly tags: readonly string[]
  readonly fault: 'backwards' | 'too-many' | null
}

/** Tags as typed: "101–140, DE 205". A range keeps prefix and zeros. */
export function tagsIn(text: string): TypedTags {
  const parts = text.split(/[,;\n]/).map((part) => part.trim())
  const tags = new Set<string>()
  for (const part of parts.filter((one) => one !== '')) {
    const [, prefix = '', first = '', other = '', last = ''] = rangeForm.exec(part) ?? []
    if (last === '' || (other !== '' && other !== prefix)) {
      tags.add(part)
      continue
    }
    const [from, to] = [BigInt(first), BigInt(last)]
    if (to < from) return { tags: [], fault: 'backwards' }
    for (let number = from; number <= to && tags.size <= mostTags; number += 1n)
      tags.add(prefix + String(number).padStart(first.length, '0'))
  }
  return tags.size > mostTags ? { tags: [], fault: 'too-many' } : { tags: [...tags], fault: null }
}

const rangeForm = /^(.*?)(\d+)\s*(?:[-–—]|\.\.)\s*(.*?)(\d+)$/

export interface KnownTags {
  readonly known: readonly LocalRecord[]
  readonly archived: readonly LocalRecord[]
  /** Tags that no animal has. */
  readonly fresh: readonly string[]
}

/** Which animals have these tags or names. A number alone finds the only tag that has it: "101" is "DE 101". */
export function animalsOfTags(animals: Iterable<LocalRecord>, tags: readonly string[]): KnownTags {
  const byWord = new Map<string, Set<LocalRecord>>()
  for (const animal of animals)
    for (const word of wordsOf(animal)) byWord.set(word, (byWord.get(word) ?? new Set()).add(animal))
  const [known, archived, fresh] = [new Set<LocalRecord>(), new Set<LocalRecord>(), [] as string[]]
  for (const tag of tags) {
    const found = [...(byWord.get(plain(tag)) ?? [])]
    const [only] = found
      .filter((animal) => namesOf(animal).includes(plain(tag)))
      .concat(found.length === 1 ? found : [])
    if (only === undefined) fresh.push(tag)
    else (isArchived(only) ? archived : known).add(only)
  }
  return { known: [...known], archived: [...archived], fresh }
}

const longestCalled = 8

/** Tag to show; the name if the tag is too long. */
export function tagOf(animal: LocalRecord): string {
  const [tag] = tagsOf(animal)
  return tag !== undefined && tag.length <= longestCalled ? tag : animal.name
}
