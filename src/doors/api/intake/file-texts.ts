import { valueLimits } from '../../../fields/limits.ts'
import { shown } from '../../../fields/place.ts'
import type { FileTexts } from '../../../fields/value.ts'
import type { SentPlace } from './sent-place.ts'

const names = ['alt', 'title', 'description'] as const satisfies readonly (keyof FileTexts)[]

interface Said {
  readonly meta: Readonly<Record<string, unknown>>
  readonly place: SentPlace
}

/** What the `meta` of an identifier says of a file. */
export function fileTextsIn({ meta, place }: Said): Partial<FileTexts> {
  const texts: { -readonly [K in keyof FileTexts]?: FileTexts[K] } = {}
  for (const name of names) {
    const sent = meta[name]
    const at = () => place.inside('meta').inside(name)
    if (sent === undefined) continue
    if (sent === null || sent === '') texts[name] = null
    else if (typeof sent !== 'string') at().fault(`must be a text, not ${shown(sent)}`)
    else if (sent.length > valueLimits.fileTextLength)
      at().fault(`may have ${valueLimits.fileTextLength} characters, not ${sent.length}`)
    else texts[name] = sent
  }
  return texts
}
