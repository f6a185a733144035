import type { Path } from '../query/path.ts'
import type { SparseFields } from '../query/sparse-fields.ts'
import { drawThings } from './draw-things.ts'
import type { ReadContext } from './implied.ts'
import { included } from './inclusion.ts'
import { type ShownResource, spelled } from './resource-texts.ts'
import type { Drawn } from './thing.ts'
import { jsonapi } from './top-level.ts'

export interface DocumentParts {
  /** JSON: a resource, a list of them, or null. */
  readonly data: string
  readonly included?: readonly ShownResource[]
  readonly links: object
}

const version = JSON.stringify(jsonapi)

/** The JSON of a document. */
export function documentText({ data, included: beside = [], links }: DocumentParts): string {
  const including = beside.length === 0 ? '' : `,"included":[${textsOf(beside)}]`
  return `{"jsonapi":${version},"data":${data}${including},"links":${JSON.stringify(links)}}`
}

export const listText = (shown: readonly ShownResource[]): string => `[${textsOf(shown)}]`

const textsOf = (shown: readonly ShownResource[]): string => shown.map(({ text }) => text).join()

export interface Shaping {
  readonly base: string
  readonly include: readonly Path[]
  readonly sparse: SparseFields
}

interface Primary {
  readonly data: Drawn | null | readonly Drawn[]
  readonly links: object
}

/** The document of resources that are at hand. */
export async function drawnDocument(reading: ReadContext, shaping: Shaping, { data, links }: Primary): Promise<string> {
  const primary = data === null ? [] : 'thing' in data ? [data] : data
  const shown = await spelled(reading, primary, shaping)
  const beside = await included(shown, shaping.include, async (things) =>
    spelled(reading, await drawThings(reading, things), shaping),
  )
  const text = Array.isArray(data) ? listText(shown) : (shown[0]?.text ?? 'null')
  return documentText({ data: text, included: beside, links })
}
