import type { JSX } from 'preact'
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

/** A piece of a note: words, or an address that can be opened. */
type Piece = { readonly text: string; readonly href?: string }

/** Only whole addresses of the web become links, and each shows its own address. */
export function linkedText(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const found of text.matchAll(/\bhttps?:\/\/[^\s<>"'`\p{Cc}\p{Cf}]{1,2000}/giu)) {
    const address = withoutPunctuation(found[0])
    if (!opens(address)) continue
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) })
    pieces.push({ text: address, href: address })
    from = found.index + address.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}

/** A full stop behind an address belongs to the sentence, a bracket to what was opened before it. */
function withoutPunctuation(address: string): string {
  const surplus: Record<string, number> = {}
  for (const closing of Object.keys(openings))
    surplus[closing] = countOf(address, closing) - countOf(address, openings[closing])
  let end = address.length
  while (end > 0) {
    const last = address[end - 1] as string
    const isExtra = (surplus[last] ?? 0) > 0
    if (!isExtra && !/[.,;:!?…]/.test(last)) break
    if (isExtra) surplus[last] = (surplus[last] ?? 0) - 1
    end--
  }
  return address.slice(0, end)
}

const openings: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

const countOf = (text: string, character = ''): number => text.split(character).length - 1

function opens(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return (protocol === 'https:' || protocol === 'http:') && hostname !== ''
}
