import type { ComponentChildren, JSX } from 'preact'
import { dotted } from '../../look/names.ts'
import { say } from '../../words/say.ts'
import type { NewTerms, RowCounts } from './import-api.ts'
import type { ImportCheck } from './import-state.ts'

/** Larger imports are undone in slices; what rows imply comes on top of their count. */
export const mostUndoneAtOnce = 300

export const countsOf = (found: ImportCheck): RowCounts =>
  found.of === 'sheet' ? found.sheet.counts : found.map.counts

export const savedCount = ({ created = 0, changed = 0 }: RowCounts): number => created + changed

const results = ['created', 'changed', 'unchanged', 'recorded', 'fault'] as const

/** "118 new · 2 refused"; empty if the rows were not checked. */
export function CountsLine({ counts }: { readonly counts: RowCounts }): JSX.Element | null {
  const words = results.map((result) => {
    const { [result]: count = 0 } = counts
    return count === 0 ? '' : say(`import.${result}`, { count })
  })
  return <b>{dotted(words)}</b>
}

const mostNames = 20

/** New terms: a misspelt name would become a term of the farm. */
function ComesAlong({ terms = [] }: { readonly terms?: NewTerms | undefined }): JSX.Element | null {
  if (terms.length === 0) return null
  const names = terms.slice(0, mostNames).map(({ name }) => name)
  return (
    <p class="small">
      {say('import.comes-along', { names: names.join(', ') })}
      {terms.length > mostNames && ` ${say('import.not-told', { count: terms.length - mostNames })}`}
    </p>
  )
}

interface CountedProps {
  readonly counts: RowCounts
  readonly terms: NewTerms | undefined
  readonly children?: ComponentChildren
}

/** Head of a preview: counts by outcome, and new terms. */
export function CountsAndTerms({ counts, terms, children }: CountedProps): JSX.Element {
  return (
    <li class="words">
      <p role="status">
        <CountsLine counts={counts} />
      </p>
      <ComesAlong terms={terms} />
      {children}
    </li>
  )
}
