import { createHash } from 'node:crypto'
import type { Counts } from '../../doors/record-1x/sheets/intake/outcome.ts'
import { Refusal } from '../../refusal.ts'
import { changeSetWith, type KeptSet } from '../../storage/change-set.ts'
import type { Snapshot } from '../../storage/database.ts'

/** How far an import had come when it was interrupted. */
export interface Interrupted {
  /** The last row that was taken. */
  readonly row: number
  readonly counts: Counts
}

export interface Begun {
  readonly set: string
  readonly earlier: Interrupted | undefined
}

/**
 * The set of an import. It follows from the file and how it is read, so that the same import is known again: where it was interrupted it
 * goes on, where it is whole or was undone the next one has another.
 */
export async function beginning(snapshot: Snapshot, word: string, before: 'go on' | 'refuse'): Promise<Begun> {
  for (let nth = 0; ; nth += 1) {
    const id = setNumbered(word, nth)
    const set = await changeSetWith(snapshot, id)
    if (set === undefined) return { set: id, earlier: undefined }
    const state = stateOf(set)
    if (set.undone_by !== null || state === undefined) continue
    if (state.row === undefined) {
      if (before === 'refuse') continue
      throw new Refusal(
        'conflict',
        `This sheet is in already, as the set ${id}. Without --resume it is taken once more.`,
      )
    }
    if (before === 'go on') return { set: id, earlier: { row: state.row, counts: state.counts } }
    throw new Refusal(
      'conflict',
      `An import of this sheet was interrupted behind row ${state.row}. --resume goes on with it, \`furrow undo ${id}\` takes back what is there.`,
    )
  }
}

/** Of a whole one without a row. */
function stateOf({ results }: KeptSet): { readonly row?: number; readonly counts: Counts } | undefined {
  return JSON.parse(results ?? '{}').sheet
}

function setNumbered(word: string, nth: number): string {
  const digest = createHash('sha256').update(`${word} ${nth}`).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
