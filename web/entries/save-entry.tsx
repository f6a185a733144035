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

interface EntryToSave {
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
export const isSaving = signal(false)

/** Keeps an entry on the device. Says why where it cannot; then nothing is lost, and the entry stays as it was typed. */
export async function saveEntry({ entry, changes, words, photos = [], draft }: EntryToSave): Promise<SavedSet | null> {
  if (isUnderWay) return null
  forgetRefusal()
  isUnderWay = true
  isSaving.value = photos.length > 0
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
    isSaving.value = false
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

const refusal = signal<{ readonly words: string } | null>(null)
let count = 0

/** Says at Save why it did not save, until the next try or until the entry is left. */
export function refuse(words: string): void {
  count += 1
  refusal.value = { words }
}

function forgetRefusal(): void {
  refusal.value = null
}

/** The same words a second time are another element, so that they are read out again. */
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
