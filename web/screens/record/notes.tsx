import type { JSX } from 'preact'
import { textIn } from '../../forms/field-value.ts'
import { bundleOf } from '../../look/names.ts'
import { fileName, type LocalRecord } from '../../store/record.ts'
import { pathsIn } from './photos.tsx'

/** A note as text with line breaks. */
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

/** Text, or a link. */
type Piece = { readonly text: string; readonly href?: string }

/** Only complete web addresses become links, and each shows its own address. */
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

/** A full stop after an address belongs to the sentence; a bracket to its opening one. */
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

/** Notes are text. Imported ones may be HTML: tags are parsed here and dropped. Nothing is ever rendered as HTML. */
export function plainText(note: string): string {
  const text = note.replace(/\r\n?/g, '\n')
  return isHtml(text) ? tidied(wordsOf(text)) : text
}

const breaks = new Set('blockquote br div h1 h2 h3 h4 h5 h6 hr li ol p pre table tr ul'.split(' '))
const unseen = new Set('iframe math object script style svg template textarea title'.split(' '))
const others =
  'a abbr audio b body button code del em font form html i img input ins label link mark meta s small span strike strong sub sup tbody td th thead u video'
const known = new Set([...breaks, ...unseen, ...others.split(' ')])

interface Tag {
  readonly name: string
  readonly closes: boolean
  readonly attributes: string
  readonly end: number
}

/** A single `<`, or a word in `<angles>`, does not make a note HTML. */
function isHtml(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) if (tagAt(text, at) !== null) return true
  return false
}

function wordsOf(html: string): string {
  const words: string[] = []
  const links: string[] = []
  let from = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', from)) {
    const comment = commentEnd(html, at)
    const tag = comment === null ? tagAt(html, at) : null
    const end = comment ?? tag?.end ?? at + 1
    words.push(decoded(spaced(html.slice(from, comment === null && tag === null ? end : at))))
    from = end
    if (tag === null) continue
    if (unseen.has(tag.name) && !tag.closes) from = endOf(html, tag)
    else words.push(wordsFor(tag, links))
  }
  words.push(decoded(spaced(html.slice(from))))
  return words.join('')
}

const spaced = (text: string): string => text.replace(/[\t\n ]+/g, ' ')

function wordsFor({ name, closes, attributes }: Tag, links: string[]): string {
  if (name === 'a') return closes ? (links.pop() ?? '') : opened(attributes, links)
  if (name === 'img' && !closes) return attributeOf(attributes, 'alt')
  if (name === 'li' && !closes) return '\n• '
  if (name === 'td' || name === 'th') return closes ? ' ' : ''
  return breaks.has(name) ? '\n' : ''
}

/** The text of a link may disguise its address, so the address is shown after it. */
function opened(attributes: string, links: string[]): string {
  const address = attributeOf(attributes, 'href').trim()
  links.push(/^https?:\/\//i.test(address) ? ` (${address})` : '')
  return ''
}

function tagAt(text: string, at: number): Tag | null {
  const closes = text[at + 1] === '/'
  const start = at + (closes ? 2 : 1)
  let nameEnd = start
  while (/[a-z0-9]/i.test(text[nameEnd] ?? '')) nameEnd++
  const name = text.slice(start, nameEnd).toLowerCase()
  if (!known.has(name) || !/[\s/>]/.test(text[nameEnd] ?? '')) return null
  const end = tagEnd(text, nameEnd)
  return end === null ? null : { name, closes, attributes: text.slice(nameEnd, end - 1), end }
}

/** A `>` in a quoted value does not end a tag; a `<` outside of one means that it was no tag. */
function tagEnd(text: string, from: number): number | null {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (character === '<') return null
    else if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(Math.max(from, at - 8), at)))
      quote = character
  }
  return null
}

function commentEnd(text: string, at: number): number | null {
  if (!text.startsWith('<!', at) && !text.startsWith('<?', at)) return null
  const isComment = text.startsWith('<!--', at)
  const end = text.indexOf(isComment ? '-->' : '>', at + 2)
  return end < 0 ? text.length : end + (isComment ? 3 : 1)
}

/** Skips the content of scripts. */
function endOf(html: string, { name, end }: Tag): number {
  const closing = new RegExp(`</${name}\\b[^>]*>?`, 'gi')
  closing.lastIndex = end
  return closing.exec(html) === null ? html.length : closing.lastIndex
}

function attributeOf(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|[\\s/"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes)
  return decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? '')
}

const named = new Map(
  'amp& lt< gt> quot" apos\' deg° bull• hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” euro€ pound£ frac12½ times× sup2² aumlä oumlö uumlü AumlÄ OumlÖ UumlÜ szligß eacuteé egraveè agraveà ntildeñ ccedilç'
    .split(' ')
    .map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const),
)

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return name === 'nbsp' ? ' ' : (named.get(name) ?? whole)
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return isCharacter(code) ? String.fromCodePoint(code) : ''
  })
}

const isCharacter = (code: number): boolean =>
  code === 9 || code === 10 || (code >= 32 && code < 0xd800) || (code > 0xdfff && code <= 0x10ffff)

function tidied(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

interface NoteOfProps {
  readonly record: LocalRecord
  /** `notes` for logs, `description` for other records. */
  readonly field: 'notes' | 'description'
}

export function NoteOf({ record, field }: NoteOfProps): JSX.Element | null {
  const text = textIn(record.fields[field])
  if (text.trim() === '') return null
  return (
    <section class="block">
      <h2 class="sub">{bundleOf(record)?.fields[field]?.label}</h2>
      <Note text={text} />
    </section>
  )
}

export function FilesOf({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  const paths = pathsIn(record.fields.files)
  if (paths.length === 0) return null
  return (
    <section class="block">
      <h2 class="sub">{bundleOf(record)?.fields.files?.label}</h2>
      <Downloads paths={paths} />
    </section>
  )
}

/** Files are downloaded, never opened here. */
export function Downloads({ paths }: { readonly paths: readonly string[] }): JSX.Element {
  return (
    <span class="downloads">
      {paths.map((path) => (
        <a class="btn" href={path} download={fileName(path)} key={path}>
          <bdi>{fileName(path)}</bdi>
        </a>
      ))}
    </span>
  )
}
