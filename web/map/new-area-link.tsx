import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { readDraft } from '../store/drafts.ts'
import { mayWrite } from '../store/local-copy.ts'
import { say } from '../words/say.ts'

/** The way to draw one, or to go on with one that is half drawn; nothing for whoever may only read. */
export function NewAreaLink(): JSX.Element | null {
  const isHalfDrawn = useHalfDrawn()
  if (!mayWrite()) return null
  return (
    <Link to="/draw" class="chip">
      <Icon name="plus" />
      {say(isHalfDrawn ? 'map.go-on-drawing' : 'map.new-area')}
    </Link>
  )
}

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
