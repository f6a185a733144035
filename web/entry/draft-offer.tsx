import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from '../look/link.tsx'
import { Mark } from '../look/mark.tsx'
import { dotted } from '../look/names.ts'
import { route } from '../look/router.ts'
import { dropDraft } from '../store/drafts.ts'
import { clock, dayAndClock, daysBetween, now } from '../words/format.ts'
import { amountWords } from './amount.ts'
import { type EntryDraft, type FoundDraft, lastBegun } from './draft.ts'
import { say } from './say.ts'

/** "Begun 22:40: Lame cow · 1 photo", on every page of its entry. Its room stays while a new one is typed, so that nothing moves under the finger. */
export function DraftOffer({ entry }: { readonly entry: string }): JSX.Element | null {
  const [found, setFound] = useState<FoundDraft | undefined>()
  const isBegun = route.value.query.has('draft')
  const wasBegun = useRef(isBegun)
  wasBegun.current ||= isBegun
  useEffect(() => {
    if (!wasBegun.current) lastBegun(entry).then(setFound)
  }, [entry])
  if (found === undefined) return null
  const hide = () => setFound(undefined)
  const drop = () => {
    void dropDraft(found.key)
    hide()
  }
  return (
    <div class="banner ask begun" style={wasBegun.current ? { visibility: 'hidden' } : undefined}>
      <Mark kind="waiting" />
      <bdi>{say('entry.draft', { when: whenWords(found.draft.at), what: aboutWords(found.draft) })}</bdi>
      <Link to={found.draft.address} class="btn plain far" onFollow={hide}>
        {say('entry.go-on')}
      </Link>
      <button type="button" class="btn plain" onClick={drop}>
        {say('entry.start-new')}
      </button>
    </div>
  )
}

const whenWords = (at: number): string => (daysBetween(at, now()) === 0 ? clock(at) : dayAndClock(at))

function aboutWords({ name, state: { value = '', unit = '', photos = [] } }: EntryDraft): string {
  const amount = value === '' ? '' : amountWords({ value, unit })
  return dotted([name, amount, photos.length === 0 ? '' : say('entry.photos', { count: photos.length })])
}
