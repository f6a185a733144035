import { signal } from '@preact/signals'
import { arriving, replace } from '../look/router.ts'
import { offerUndo, whyOf } from '../look/undo.tsx'
import { noteChoice } from '../store/recent-choices.ts'
import { type LocalChange, type NewPhoto, type SavedSet, save } from '../sync/save.ts'
import type { DraftPlace } from './draft.ts'
import { forgetRefusal, refuse } from './refusal.tsx'
import { say } from './say.ts'

interface Kept {
  /** Of those that stand first the next time; nothing where no entry was opened for it. */
  readonly entry?: string
  readonly changes: readonly LocalChange[]
  /** What the card says, for those who do not see it too. */
  readonly words: string
  readonly photos?: readonly NewPhoto[]
  /** What it was typed into. */
  readonly draft?: DraftPlace
}

/** Two taps save once. */
let isUnderWay = false

/** Photos take their time. */
export const isKeeping = signal(false)

/** Keeps an entry on the device. Says why where it cannot; then nothing is lost, and the entry stays as it was typed. */
export async function keepEntry({ entry, changes, words, photos = [], draft }: Kept): Promise<SavedSet | null> {
  if (isUnderWay) return null
  forgetRefusal()
  isUnderWay = true
  isKeeping.value = photos.length > 0
  try {
    const saved = await save(changes, { photos, draft: draft?.key })
    const log = changes.find(({ type }) => type === 'log')
    const files = photos.map(({ file }) => file)
    draft?.keptAs(log?.uuid ?? '', files)
    if (entry !== undefined) noteChoice('entry', entry)
    offerUndo([saved], planWords(log) ?? words)
    return saved
  } catch (fault) {
    refuse(say('entry.refused', { why: whyOf(fault) }))
    return null
  } finally {
    isUnderWay = false
    isKeeping.value = false
  }
}

/** What is only planned is not told as done. */
function planWords(log: LocalChange | undefined): string | null {
  if (log?.verb !== 'make' || log.fields.done !== '0') return null
  return say('entry.saved.plan', { name: String(log.fields.name) })
}

/** The page that says what has changed; back does not lead to what was just saved. */
export function showSaved(entry: string, ...uuids: readonly string[]): void {
  arriving.value = true
  replace(`/add/${entry}?saved=${uuids.join(',')}`)
}
