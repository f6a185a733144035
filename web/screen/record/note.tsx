import type { JSX } from 'preact'
import { linkedText } from './linked-text.ts'
import { plainText } from './plain-text.ts'

/** What somebody wrote, as text with its line breaks. */
export function Note({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="note" dir="auto">
      {linkedText(plainText(text)).map(({ text: words, href }) =>
        href === undefined ? (
          words
        ) : (
          <a class="because" href={href} target="_blank" rel="noopener noreferrer" key={href}>
            {words}
          </a>
        ),
      )}
    </p>
  )
}
