import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link } from '../look/link.tsx'
import { Mark } from '../look/mark.tsx'
import { dropDraft } from '../store/drafts.ts'
import { begunEntry, draftKey } from './draft.ts'
import { say } from './say.ts'

/** What was begun and not saved, on the first page of its entry. */
export function DraftOffer({ entry }: { readonly entry: string }): JSX.Element | null {
  const [to, setTo] = useState<string | null>(null)
  useEffect(() => {
    begunEntry(entry).then((draft) => setTo(draft?.address ?? null))
  }, [entry])
  if (to === null) return null
  const drop = () => {
    dropDraft(draftKey(entry))
    setTo(null)
  }
  return (
    <div class="banner ask round">
      <Mark kind="waiting" />
      <span>{say('entry.draft')}</span>
      <Link to={to} class="btn plain far">
        {say('entry.go-on')}
      </Link>
      <button type="button" class="btn plain" onClick={drop}>
        {say('entry.drop-draft')}
      </button>
    </div>
  )
}
