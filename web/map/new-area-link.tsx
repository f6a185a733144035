import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { mayWrite } from '../store/local-copy.ts'
import { useHalfDrawn } from './draft.ts'
import { say } from './say.ts'

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
