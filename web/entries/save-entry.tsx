import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Mark } from '../look/mark.tsx'
import { arriving, replace } from '../look/router.ts'
import { offerUndo, whyOf } from '../look/undo.tsx'
import { noteChoice } from '../store/recent-choices.ts'
import { type LocalChange, type NewPhoto, type SavedSet, save } from '../sync/save.ts'
import { say } from '../words/say.ts'
import type { DraftPlace } from './draft.tsx'
import { askWithheld } from './withheld.tsx'

interface EntryToSave {
  /** Entry to list first the next time; absent if the change was not made in one. */
  readonly entry?: string
  readonly changes: readonly LocalChange[]
  /** Text of the card, also announced to screen readers. */
  readonly words: string
  readonly photos?: readonly NewPhoto[]
  /** Draft that the entry was typed into. */
  readonly draft?: DraftPlace
}

/** Guards against a double tap. */
let isUnderWay = false

/** True while photos are being stored. */
export const isSaving = signal(false)

/**
 * Saves an entry on the device, after a question about what is withheld. On failure it says why. Then, or if the
 * question is closed, the entry stays as typed.
 */
export async function saveEntry({ entry, changes, words, photos = [], draft }: EntryToSave): Promise<SavedSet | null> {
  if (isUnderWay) return null
  forgetRefusal()
  isUnderWay = true
  try {
    const answered = await askWithheld(changes)
    if (answered === null) return null
    isSaving.value = photos.length > 0
    const saved = await save(answered, { photos, draft: draft?.key })
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
    isSaving.value = false
  }
}

/** Words for a plan; null if the log is done. */
function planWords(log: LocalChange | undefined): string | null {
  if (log?.verb !== 'make' || log.fields.done !== '0') return null
  return say('entry.saved.plan', { name: String(log.fields.name) })
}

/** Shows the page of the saved entry; back skips the form. */
export function showSaved(entry: string, ...uuids: readonly string[]): void {
  arriving.value = true
  replace(`/add/${entry}?saved=${uuids.join(',')}`)
}

const refusal = signal<{ readonly words: string } | null>(null)
let count = 0

/** Shows at Save why nothing was saved, until the next try or until the user leaves. */
export function refuse(words: string): void {
  count += 1
  refusal.value = { words }
}

function forgetRefusal(): void {
  refusal.value = null
}

/** A new element each time, so that screen readers announce the same words again. */
export function Refusal(): JSX.Element {
  useEffect(() => forgetRefusal, [])
  return (
    <div class="refusals" role="alert">
      {refusal.value !== null && (
        <p key={count} class="banner refusal">
          <Mark kind="needs" />
          <span>{refusal.value.words}</span>
        </p>
      )}
    </div>
  )
}
