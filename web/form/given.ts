import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import type { RecordFields } from '../store/record.ts'
import { isAsked } from './order.ts'
import type { Reference } from './reference-value.ts'

/** What an address fills in: "asset=5,7&done=0". Parts and shapes are not spelled there. */
export function givenIn(query: URLSearchParams, fields: CatalogueFields): RecordFields {
  const given = [...query].flatMap(([name, text]) => {
    const field = fields[name]
    const value = field === undefined || !isAsked(name, field) ? undefined : spelled(text, field)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

function spelled(text: string, { kind, many }: CatalogueField): unknown {
  const words = text.split(',').filter((word) => word !== '')
  if (kind === 'reference') return many === true ? words.map(reference) : words.map(reference)[0]
  if (kind === 'part' || kind === 'geometry' || kind === 'attachment' || kind === 'period') return undefined
  if (kind === 'rich-text') return { value: text }
  if (kind === 'yes-no') return text === '1' ? '1' : '0'
  return many === true ? words : text
}

const reference = (word: string): Reference => (word.includes('-') ? { uuid: word } : { id: word })
