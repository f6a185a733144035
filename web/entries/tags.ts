import { type KeptRecord, tagsOf } from '../store/record.ts'

interface TagMatch {
  /** Whose tag or name is just what was typed. */
  readonly exact: readonly KeptRecord[]
  /** Whose tag or name goes on from there. */
  readonly longer: readonly KeptRecord[]
}

/** Animals by what stands on their tags: "117" finds "DE 117", "DE 04 117" and "CH 120.117.8". */
export function animalsTagged(animals: readonly KeptRecord[], typed: string): TagMatch {
  const wanted = plain(typed)
  if (wanted === '') return { exact: [], longer: [] }
  const exact = animals.filter((animal) => wordsOf(animal).includes(wanted))
  const longer = animals.filter(
    (animal) => !exact.includes(animal) && wordsOf(animal).some((word) => word.startsWith(wanted)),
  )
  return { exact, longer }
}

/** Without a further tap: one bears this tag, and none goes on from it. */
export const isCertain = ({ exact, longer }: TagMatch): boolean => exact.length === 1 && longer.length === 0

/** Names and tags, and each of the figures in them. */
function wordsOf(animal: KeptRecord): readonly string[] {
  const whole = [animal.name, ...tagsOf(animal)].map(plain).filter((word) => word !== '')
  return [...whole, ...whole.flatMap((word) => word.match(/\d+/g) ?? [])]
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

const longestCalled = 8

/** What a person calls it by at the gate: its tag, unless that is too long to be called. */
export function tagOf(animal: KeptRecord): string {
  const [tag] = tagsOf(animal)
  return tag !== undefined && tag.length <= longestCalled ? tag : animal.name
}
