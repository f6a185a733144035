import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { readDraft } from '../store/drafts.ts'
import { mayWrite } from '../store/local-copy.ts'
import { say } from '../words/say.ts'

/** Link to draw an area, or to continue a draft; null for read-only accounts. */
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

/** Key of the draft of a new area. */
export const newAreaDraft = 'draw new'

export function useHalfDrawn(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    readDraft(newAreaDraft).then((draft) => setThere(draft !== undefined))
  }, [])
  return isThere
}
