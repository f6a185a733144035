import type { StoredRecord } from '../../../storage/records/stored.ts'
import { type Catalogue, documentOf, requestedOf } from './document.ts'
import type { Speller } from './spelling.ts'

/**
 * A record's JSON with holes for what can change without the record: the base address, the names of terms, the text of
 * files. What is computed is not in it at all; it is put in behind (see viewing.ts). The closing brace is left off.
 */
export interface Template {
  readonly uuid: string
  readonly revision: number
  readonly bundle: string
  /** The terms and files it names, and the terms directly above it. */
  readonly terms: readonly number[]
  readonly files: readonly number[]
  readonly parents: readonly number[]
  /** What only those are shown who ask for it, as JSON by its name. */
  readonly requested: Readonly<Record<string, string>>
  readonly pieces: readonly Piece[]
  readonly length: number
}

type Piece = string | { readonly hole: 'base' } | { readonly hole: 'name' | 'file'; readonly id: number }

/** The text as the inside of a JSON string. */
export function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * Characters that no text of a farm can have (they are refused at the gate) enclose a hole. JSON spells them in ASCII, so that
 * most templates take one byte for a character. A text that has this spelling itself, letter by letter, has each of its
 * backslashes doubled there: behind a figure there is never a single one but here.
 */
const [open, close] = ['\u0001\u0002', '\u0003']
const [opening, closing] = [inString(open), inString(close)]

export function templateOf(record: StoredRecord, catalogue: Catalogue): Template {
  const terms = new Set<number>()
  const files = new Set<number>()
  const speller: Speller = {
    base: `${open}${close}`,
    nameOf(term) {
      terms.add(term)
      return `${open}n${term}${close}`
    },
    textOfFile(file) {
      files.add(file)
      return `${open}f${file}${close}`
    },
  }
  const document = documentOf(record, catalogue, speller)
  const requested = Object.entries(requestedOf(record, catalogue, speller))
  const text = JSON.stringify(document).slice(0, -1)
  return {
    uuid: record.uuid,
    revision: record.revision,
    bundle: record.bundle,
    terms: [...terms],
    files: [...files],
    // The catalogue makes a term's parents a list of ids; other records have none that anything here asks for.
    parents: record.type === 'term' ? ((record.values.parent ?? []) as readonly number[]) : [],
    requested: Object.fromEntries(requested.map(([name, value]) => [name, JSON.stringify(value)])),
    pieces: piecesOf(text),
    length: text.length,
  }
}

function piecesOf(text: string): readonly Piece[] {
  const [first = '', ...others] = text.split(opening)
  const pieces: Piece[] = [first]
  for (const other of others) {
    const end = other.indexOf(closing)
    pieces.push(end === 0 ? base : holeIn(other.slice(0, end)), other.slice(end + closing.length))
  }
  return pieces
}

const base: Piece = { hole: 'base' }

const holeIn = (text: string): Piece => ({ hole: text.startsWith('n') ? 'name' : 'file', id: Number(text.slice(1)) })

/** What goes into the holes, already as the inside of JSON strings. */
export interface Filling {
  readonly base: string
  readonly names: ReadonlyMap<number, string>
  readonly files: ReadonlyMap<number, string>
}

/** The whole document: the template with its holes filled, and behind it what is computed. */
export function finished({ pieces }: Template, { base, names, files }: Filling, behind: string): Buffer {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else if (piece.hole === 'base') text += base
    else text += (piece.hole === 'name' ? names : files).get(piece.id) ?? ''
  }
  return Buffer.from(`${text}${behind}}`)
}
