import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Mark } from '../look/mark.tsx'

const refusal = signal<{ readonly words: string } | null>(null)
let count = 0

/** Says at Save why it did not save, until the next try or until the entry is left. */
export function refuse(words: string): void {
  count += 1
  refusal.value = { words }
}

export function forgetRefusal(): void {
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
