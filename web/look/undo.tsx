import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { type SavedSet, undo } from '../sync/save.ts'
import { isQuotaExceeded } from '../sync/storage-quota.ts'
import { say } from '../words/say.ts'
import { Icon } from './icon.tsx'

interface Offer {
  /** Saves in order; empty for a message without Undo. */
  readonly saves: readonly SavedSet[]
  readonly words: string
  /** A toast shows it, or the page has its own button. */
  readonly shown: 'over-the-page' | 'by-the-page'
}

const seconds = 8
const offer = signal<Offer | null>(null)

let running: ReturnType<typeof setTimeout> | undefined

/** Offers Undo for eight seconds, instead of asking for confirmation. */
export function offerUndo(saves: readonly SavedSet[], words: string, shown: Offer['shown'] = 'over-the-page'): void {
  offer.value = { saves, words, shown }
  clearTimeout(running)
  running = setTimeout(endOffer, seconds * 1000)
}

/** Keeps the toast while the user touches it. */
function endOffer(): void {
  const isHeld = document.querySelector('.toast:is(:hover, :focus-within)') !== null
  if (isHeld) running = setTimeout(endOffer, 1000)
  else offer.value = null
}

export const isOffered = (uuid: string): boolean =>
  offer.value?.saves.some(({ changes }) => changes.some((change) => change.uuid === uuid)) ?? false

/** Shows a message for the same time. */
export const showToast = (words: string): void => offerUndo([], words)

/** Null if the device cannot store it; shows why. */
export async function toastOnFailure<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (fault) {
    showToast(say('act.not-saved', { why: whyOf(fault) }))
    return null
  }
}

export function whyOf(fault: unknown): string {
  if (isQuotaExceeded(fault)) return say('copy.no-room')
  return fault instanceof Error ? fault.message : String(fault)
}

/** Undoes the current offer, or the given saves, the last first. */
export async function takeBack(saves = offer.peek()?.saves ?? []): Promise<void> {
  try {
    for (const saved of saves.toReversed()) await undo(saved)
    showToast(say('act.undone'))
  } catch (fault) {
    showToast(say('act.undo-failed', { why: whyOf(fault) }))
  }
}

/** Shows what was saved, with a timed Undo. */
export function UndoToast(): JSX.Element {
  const current = offer.value
  const isSeen = current !== null && current.shown === 'over-the-page'
  return (
    <div class={isSeen ? 'toast' : 'out'} role="status">
      {current !== null && <span>{current.words}</span>}
      {isSeen && current.saves.length > 0 && (
        <>
          <button type="button" onClick={() => takeBack()}>
            <Icon name="undo" />
            {say('act.undo')}
          </button>
          <i key={current.saves.at(-1)?.set} />
        </>
      )}
    </div>
  )
}
