import { type InputPlace, isTree, shown, type Tree } from '../../../fields/place.ts'
import { richTextFormat } from '../../../fields/text.ts'
import type { RichText } from '../../../fields/value.ts'
import { html } from '../../http/html.ts'
import { hasOnly } from './plain-values.ts'

/** What is kept for each format; none is kept as an empty word. */
const formats: ReadonlyMap<string | null, string> = new Map([
  ['default', richTextFormat],
  ['plain_text', 'plain_text'],
  [null, ''],
])

const names: ReadonlyMap<string, string | null> = new Map([...formats].map(([name, kept]) => [kept, name]))

export interface SpelledText {
  readonly value: string
  readonly format: string | null
  readonly processed: string
}

export function spellRichText({ value, format }: RichText): SpelledText {
  const name = names.get(format)
  return { value, format: name === undefined ? format : name, processed: processed(value) }
}

/** As HTML: everything escaped, then cut into paragraphs at empty lines. */
function processed(text: string): string {
  return paragraphsOf(text)
    .map((lines) => `<p>${lines.map((line) => html`${line}`.text).join('<br />\n')}</p>\n`)
    .join('')
}

function paragraphsOf(text: string): readonly (readonly string[])[] {
  const paragraphs: string[][] = [[]]
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') paragraphs.push([])
    else paragraphs.at(-1)?.push(line)
  }
  return paragraphs.filter((lines) => lines.length > 0)
}

const members: readonly string[] = ['value', 'format', 'processed']

/** `{value, format}`, or its value alone. `processed` is worked out, and comes back with what was read. */
export function readRichText(input: unknown, place: InputPlace): RichText | undefined {
  if (!isTree(input)) return readRichText({ value: input }, place)
  const format = formatIn(input, place)
  if (!hasOnly(input, members, place) || input.value === null || input.value === undefined) return undefined
  if (typeof input.value !== 'string') return place.inside('value').fault(`must be text, not ${shown(input.value)}`)
  return format === undefined ? undefined : { value: input.value, format }
}

function formatIn({ format }: Tree, place: InputPlace): string | undefined {
  if (format === undefined || format === '') return richTextFormat
  const kept = typeof format === 'string' || format === null ? formats.get(format) : undefined
  const allowed = [...formats.keys()].flatMap((name) => name ?? [])
  return kept ?? place.inside('format').fault(`unknown text format ${shown(format)}`, allowed)
}
