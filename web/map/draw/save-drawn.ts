import { offerUndo, whyOf } from '../../look/undo.tsx'
import { type LocalChange, type SavedSet, save } from '../../sync/save.ts'
import { say } from './say.ts'

interface Drawn {
  readonly changes: readonly LocalChange[]
  /** What it was kept in until now. */
  readonly draft: string
  /** What is said of it, with the way back. */
  readonly words: string
  readonly onFault: (words: string) => void
}

/** All of it or nothing, as one set; undefined where the device cannot keep it, which it then says. */
export async function saveDrawn({ changes, draft, words, onFault }: Drawn): Promise<SavedSet | undefined> {
  try {
    const saved = await save(changes, { draft })
    offerUndo([saved], words)
    return saved
  } catch (fault) {
    onFault(say('draw.not-saved', { why: whyOf(fault) }))
    return undefined
  }
}
