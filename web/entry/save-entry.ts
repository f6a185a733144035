import { arriving, replace } from '../look/router.ts'
import { offerUndo, whyOf } from '../look/undo.tsx'
import { noteUsed } from '../store/used.ts'
import { type Change, type NewPhoto, type Saved, save } from '../sync/save.ts'
import { forgetRefusal, refuse } from './refusal.tsx'
import { say } from './say.ts'

interface Kept {
  /** Of those that stand first the next time; nothing where no entry was opened for it. */
  readonly entry?: string
  readonly changes: readonly Change[]
  /** What the card says, for those who do not see it too. */
  readonly words: string
  readonly photos?: readonly NewPhoto[]
  /** What it was typed into. */
  readonly draft?: string
}

/** Keeps an entry on the device. Says why where it cannot; then nothing is lost, and the entry stays as it was typed. */
export async function keepEntry({ entry, changes, words, photos = [], draft }: Kept): Promise<Saved | null> {
  forgetRefusal()
  try {
    const saved = await save(changes, { photos, draft })
    if (entry !== undefined) noteUsed('entry', entry)
    offerUndo([saved], words)
    return saved
  } catch (fault) {
    refuse(say('entry.refused', { why: whyOf(fault) }))
    return null
  }
}

/** The page that says what has changed; back does not lead to what was just saved. */
export function showSaved(entry: string, ...uuids: readonly string[]): void {
  arriving.value = true
  replace(`/add/${entry}?saved=${uuids.join(',')}`)
}
