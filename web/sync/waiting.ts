import { computed, type ReadonlySignal } from '@preact/signals'
import type { Entry, PhotoWaiting } from '../store/entry.ts'
import { outbox, photosWaiting } from '../store/outbox.ts'

/** What a person saved at once, as far as it is not sent. */
export interface UnsentSet {
  readonly set: string
  readonly entries: readonly Entry[]
  readonly photos: readonly PhotoWaiting[]
}

/** In order; photos whose text is sent stand by themselves. */
export const unsent: ReadonlySignal<readonly UnsentSet[]> = computed(() => {
  const sets = new Map<string, UnsentSet>()
  const of = (set: string) => sets.get(set) ?? { set, entries: [], photos: [] }
  for (const entry of outbox.value) {
    const before = of(entry.set)
    sets.set(entry.set, { ...before, entries: [...before.entries, entry] })
  }
  for (const photo of photosWaiting.value) {
    const before = of(photo.set)
    sets.set(photo.set, { ...before, photos: [...before.photos, photo] })
  }
  return [...sets.values()]
})

const needsPerson = ({ entries, photos }: UnsentSet) =>
  [...entries, ...photos].some(({ state }) => state === 'needs-you')

export const needing: ReadonlySignal<readonly UnsentSet[]> = computed(() => unsent.value.filter(needsPerson))

export const waiting: ReadonlySignal<readonly UnsentSet[]> = computed(() =>
  unsent.value.filter((one) => !needsPerson(one)),
)
