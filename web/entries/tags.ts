import { type LocalRecord, tagsOf } from '../store/record.ts'

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
  const whole = [animal.name, ...tagsOf(animal)].map(plain).filter((word) => word !== '')
  return [...whole, ...whole.flatMap((word) => word.match(/\d+/g) ?? [])]
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

const longestCalled = 8

/** Tag to show; the name if the tag is too long. */
export function tagOf(animal: LocalRecord): string {
  const [tag] = tagsOf(animal)
  return tag !== undefined && tag.length <= longestCalled ? tag : animal.name
}
