import type { LongTextField, RichTextField, TextField } from './field.ts'
import { textKey } from './key.ts'
import type { KindRules, MemberComparison } from './kind.ts'
import { valueLimits } from './limits.ts'
import { hasOnly, type InputPlace, isBlank, isTree, shown, type Tree } from './place.ts'
import type { RichText } from './value.ts'

/** The usual format of rich text. */
export const richTextFormat = 'farm_format'

/** Formats of a rich text; the last one means none. */
export const richTextFormats: readonly string[] = [richTextFormat, 'plain_text', '']

export const text = (label: string, traits: Partial<TextField> = {}): TextField => ({
  kind: 'text',
  label,
  maxLength: valueLimits.textLength,
  ...traits,
})

export const longText = (label: string, traits: Partial<LongTextField> = {}): LongTextField => ({
  kind: 'long-text',
  label,
  maxLength: valueLimits.dataLength,
  ...traits,
})

export const richText = (label: string, traits: Partial<RichTextField> = {}): RichTextField => ({
  kind: 'rich-text',
  label,
  ...traits,
})

type WithLength = Pick<TextField | LongTextField, 'maxLength'>

function validateText({ maxLength }: WithLength, text: string, place: InputPlace): string | undefined {
  if (text.length <= maxLength || characters(text) <= maxLength) return text
  return place.fault(`is longer than ${maxLength} characters`)
}

function validateRichText(_field: RichTextField, rich: RichText, place: InputPlace): RichText | undefined {
  const { value, format } = rich
  if (!richTextFormats.includes(format))
    return place.inside('format').fault(`unknown text format ${shown(format)}`, richTextFormats)
  return validateText({ maxLength: valueLimits.textLength }, value, place.inside('value')) === undefined
    ? undefined
    : rich
}

function characters(input: string): number {
  let count = 0
  for (const _character of input) count += 1
  return count
}

const textRules = {
  validate: validateText,
  key: textKey,
  bounds: ({ maxLength }: WithLength) => ({ max_length: maxLength }),
  cell: { spell: (value: string) => value, read: (_field: unknown, cell: string) => cell },
  mapText: (text: string) => text,
}

const olderText = {
  template: () => '',
  spell: (value: string) => value,
  shown: () => ({ type: 'string' }),
  given: ({ maxLength }: WithLength) => ({ type: 'string', maxLength }),
  filter: { by: 'text', offers: 'text', equals: { type: 'string' } },
} as const

const newerText = {
  spell: (value: string) => value,
  schema: ({ maxLength }: WithLength) => ({ type: 'string', maxLength }),
  compares: 'text',
} as const

export const textKind: KindRules<'text'> = {
  ...textRules,
  several: true,
  isLine: true,
  older: {
    ...olderText,
    type: () => 'text',
    read: (_field, input, place) => (typeof input === 'number' ? String(input) : readString(input, place)),
    none: () => null,
  },
  newer: {
    ...newerText,
    read: (input, place) => (typeof input === 'number' ? String(input) : readString(input, place)),
  },
}

function readString(input: unknown, place: InputPlace): string | undefined {
  return typeof input === 'string' ? input : place.fault(`must be text, not ${shown(input)}`)
}

export const longTextKind: KindRules<'long-text'> = {
  ...textRules,
  several: false,
  isLine: false,
  older: {
    ...olderText,
    type: () => 'text_long',
    read(field, input, place) {
      if (field.takesRich && isTree(input)) return readOlderRich(undefined, input, place)?.value || undefined
      return typeof input === 'string' ? input : place.fault(`must be a string, not ${shown(input)}`)
    },
    none: (field) => (field.takesRich ? '' : null),
  },
  newer: { ...newerText, read: readString },
}

/** Members of a rich text that /api can filter by. */
export const richTextMembers: Readonly<Record<string, MemberComparison>> = {
  value: { as: 'text', in: 'index' },
  format: { as: 'text', in: 'record' },
}

export const richTextKind: KindRules<'rich-text'> = {
  several: false,
  isLine: false,
  validate: validateRichText,
  key: ({ value }) => textKey(value),
  bounds: () => ({}),
  older: {
    type: () => 'text_long',
    template: () => ({ value: '', format: richTextFormat }),
    read: readOlderRich,
    spell: ({ value }) => ({ value, format: richTextFormat }),
    none: () => [],
    shown: () => 'RichText',
    given: () => 'GivenRichText',
    filter: { by: 'text', offers: 'text', equals: { type: 'string' } },
  },
  newer: {
    read: readNewerRich,
    spell: spellRichText,
    schema: () => ({
      type: 'object',
      properties: { value: { type: 'string' }, format: { type: 'string' }, processed: { type: 'string' } },
      required: ['value'],
    }),
    compares: richTextMembers,
  },
  cell: { spell: ({ value }) => value, read: (_field, cell) => cell },
  mapText: (text) => text,
}

/** Rich text is `{value, format}`; a bare string is its value. */
function readOlderRich(field: RichTextField | undefined, input: unknown, place: InputPlace): RichText | undefined {
  if (!isTree(input)) return readOlderRich(field, { value: input }, place)
  if (!isRich(input)) return place.fault(notRich(input))
  const { value, format } = input
  if (losesSomething(input, place) || value === null || value === undefined) return undefined
  if (typeof value !== 'string') return place.inside('value').fault(`must be text, not ${shown(value)}`)
  if (isBlank(format)) return { value, format: richTextFormat }
  // A text stored without a format accepts any.
  if (format === richTextFormat || (field === undefined && typeof format === 'string')) return { value, format }
  return place.inside('format').fault(`unknown text format ${shown(format)}`, [richTextFormat])
}

/** An object without a value may be an empty template, but not another kind of object. */
const isRich = (input: Tree): boolean =>
  'value' in input ||
  Object.keys(input).every((name) => name === 'format' || (name === 'summary' && isBlank(input.summary)))

/** Stored members, and those that other servers show and clients may send back. */
const harmless: readonly string[] = ['value', 'format', 'safe_value', 'processed']

/** Notes every member with content that would not be kept. */
function losesSomething(input: Tree, place: InputPlace): boolean {
  const lost = Object.keys(input).filter((name) => !harmless.includes(name) && !isBlank(input[name]))
  for (const name of lost) place.inside(name).fault('cannot be kept: write it into the value', ['value', 'format'])
  return lost.length > 0
}

const notRich = (input: Tree): string => `must be {"value": …, "format": "${richTextFormat}"}, not ${shown(input)}`

/** Stored formats by those of /api; none is stored as an empty word. */
const newerFormats: ReadonlyMap<string | null, string> = new Map([
  ['default', richTextFormat],
  ['plain_text', 'plain_text'],
  [null, ''],
])

const newerNames: ReadonlyMap<string, string | null> = new Map([...newerFormats].map(([name, kept]) => [kept, name]))

interface SpelledText {
  readonly value: string
  readonly format: string | null
  readonly processed: string
}

export function spellRichText({ value, format }: RichText): SpelledText {
  const name = newerNames.get(format)
  return { value, format: name === undefined ? format : name, processed: processed(value) }
}

/** As HTML: everything escaped, then split into paragraphs at empty lines. */
function processed(text: string): string {
  return paragraphsOf(text)
    .map((lines) => `<p>${lines.map(escapedHtml).join('<br />\n')}</p>\n`)
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

const richMembers: readonly string[] = ['value', 'format', 'processed']

/** `{value, format}`, or its value alone. `processed` is worked out, and comes back with what was read. */
function readNewerRich(input: unknown, place: InputPlace): RichText | undefined {
  if (!isTree(input)) return readNewerRich({ value: input }, place)
  const format = formatIn(input, place)
  if (!hasOnly(input, richMembers, place) || input.value === null || input.value === undefined) return undefined
  if (typeof input.value !== 'string') return place.inside('value').fault(`must be text, not ${shown(input.value)}`)
  return format === undefined ? undefined : { value: input.value, format }
}

function formatIn({ format }: Tree, place: InputPlace): string | undefined {
  if (format === undefined || format === '') return richTextFormat
  const kept = typeof format === 'string' || format === null ? newerFormats.get(format) : undefined
  const allowed = [...newerFormats.keys()].flatMap((name) => name ?? [])
  return kept ?? place.inside('format').fault(`unknown text format ${shown(format)}`, allowed)
}

/**
 * Characters that no text of a farm may hold: those that XML 1.0 (section 2.2) cannot carry, so that whatever is written
 * in one format can be read in the other. Half a surrogate pair matches because of the `u` flag.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const uncarriable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

/**
 * Characters that a text of one line may not hold: control characters, line and paragraph separators, and those that turn the direction of the
 * text around them. A terminal or a list would show something else than what is there. Joiners and marks of direction are letters of some scripts.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** The fault of a one-line text; null if valid. */
export function faultOfLine(text: string): string | null {
  const found = unprintable.exec(text)
  return found && `holds the character ${nameOfCharacter(found[0])}, which a text of one line cannot have: leave it out`
}

export function nameOfCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A text of somebody else as one line of a terminal, which it cannot take over. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')

const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as element content or quoted attribute of HTML. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => htmlNames[character] ?? '')
