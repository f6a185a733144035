import { people } from '../store/copy.ts'
import type { Entry, Problem } from '../store/entry.ts'
import { ask } from './ask.ts'

interface InTrash {
  readonly removed: string
  readonly removed_by: { readonly id: string } | null
}

/** Who removed a record, and when, as long as it lies in the trash: from there it can come back. */
export async function whoRemoved({ record }: Entry): Promise<Pick<Problem, 'by' | 'removed'>> {
  const answer = await ask<InTrash>(`/trash/${record}.json`)
  if (answer.failure !== null) return { removed: 'for-good' }
  const { removed, removed_by } = answer.body
  const name = people.peek().get(removed_by?.id ?? '') ?? ''
  return { removed: 'to-trash', by: { name, at: Number(removed) } }
}
