import { useEffect, useState } from 'preact/hooks'
import { readDraft } from '../store/drafts.ts'

/** What is kept of a new area while it is drawn. */
export const newAreaDraft = 'draw new'

/** Whether an area is half drawn on this device. */
export function useHalfDrawn(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    readDraft(newAreaDraft).then((draft) => setThere(draft !== undefined))
  }, [])
  return isThere
}
