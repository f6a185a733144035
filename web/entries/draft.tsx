import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newUuid } from '../../src/client/changes.ts'
import { keepTyped } from '../forms/keep-typed.ts'
import { Link } from '../look/link.tsx'
import { Mark } from '../look/mark.tsx'
import { dotted } from '../look/names.ts'
import { address, replace, route, withQuery } from '../look/router.ts'
import { toastOnFailure } from '../look/undo.tsx'
import { draftsUnder, dropDraft, readDraft } from '../store/drafts.ts'
import { save } from '../sync/save.ts'
import { clock, dayAndClock, daysBetween, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { amountWords } from './amount.ts'
import { photosOf } from './details.tsx'

/** Draft of an entry. The address names it: `?draft=`. */
interface EntryDraft<State = Partial<WithPhotos>> {
  readonly address: string
  /** Unix seconds of the last change. */
  readonly at: number
  /** Name the log would get. */
  readonly name: string
  readonly state: State
}

interface WithPhotos {
  readonly photos: readonly Blob[]
  readonly value: string
  readonly unit: string
}

const keyOf = (entry: string, id: string): string => `${beginning(entry)}${id}`
const beginning = (entry: string): string => `entry ${entry} `

/** Key of the draft, and what to do with photos that arrive after saving. */
export interface DraftPlace {
  readonly key: string
  /** Adds photos that arrived after saving to the record. */
  readonly keptAs: (record: string, saved: readonly Blob[]) => void
}

interface EntryDraftState<State> {
  readonly state: State
  readonly change: (part: Partial<State> | ((before: State) => Partial<State>)) => void
  /** Begins the next entry with these values. They are not stored until the user types. */
  readonly goOn: (part: Partial<State>) => void
  readonly draft: DraftPlace
}

/** Stores each change as a draft. Only an address with the draft's key restores it: a new entry begins empty. */
export function useEntryDraft<State extends Partial<WithPhotos>>(
  entry: string,
  begun: State,
  nameOf: (state: State) => string,
): EntryDraftState<State> {
  const [state, setState] = useState(begun)
  const latest = useRef(begun)
  const id = useRef(newUuid())
  const isTouched = useRef(false)
  const record = useRef<string | null>(null)
  const isHere = useRef(true)
  const named = route.value.query.get('draft')
  const place = useRef('')
  place.current = withQuery({ draft: id.current })
  const show = (next: State) => {
    latest.current = next
    setState(next)
  }
  const keep = () => {
    const draft = { address: place.current, at: now(), name: nameOf(latest.current), state: latest.current }
    void keepTyped(keyOf(entry, id.current), draft)
  }
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  useEffect(() => {
    if (named === null || named === id.current) return
    id.current = named
    place.current = withQuery({ draft: named })
    isTouched.current = false
    readDraft<EntryDraft<State>>(keyOf(entry, named)).then((draft) => {
      if (draft === undefined || isTouched.current || id.current !== named) return
      show(draft.state)
      if (draft.address !== place.current) keep()
    })
  }, [entry, named])
  useEffect(() => {
    if (isTouched.current && named === id.current) keep()
  }, [address.value])
  return {
    state,
    change: (part) => {
      const next = { ...latest.current, ...(typeof part === 'function' ? part(latest.current) : part) }
      if (record.current !== null) return follow(record.current, lateIn(next, latest.current.photos))
      isTouched.current = true
      show(next)
      if (isHere.current) place.current = withQuery({ draft: id.current })
      keep()
      if (isHere.current && route.peek().query.get('draft') !== id.current) replace(place.current)
    },
    goOn: (part) => {
      id.current = newUuid()
      isTouched.current = false
      record.current = null
      show({ ...latest.current, ...part })
      replace(withQuery({ draft: null }))
    },
    draft: {
      key: keyOf(entry, id.current),
      keptAs: (uuid, saved) => {
        record.current = uuid
        follow(uuid, lateIn(latest.current, saved))
      },
    },
  }
}

const lateIn = ({ photos = [] }: Partial<WithPhotos>, known: readonly Blob[] = []): readonly Blob[] =>
  photos.filter((photo) => !known.includes(photo))

function follow(record: string, photos: readonly Blob[]): void {
  if (photos.length > 0) void toastOnFailure(save([], { photos: photosOf(record, photos) }))
}

interface StoredDraft {
  readonly key: string
  readonly draft: EntryDraft
}

/** Latest draft of the entry. */
async function lastDraft(entry: string): Promise<StoredDraft | undefined> {
  const all = await draftsUnder<EntryDraft>(beginning(entry))
  const [last] = all.toSorted(([, one], [, other]) => other.at - one.at)
  return last === undefined ? undefined : { key: last[0], draft: last[1] }
}

/**
 * Offers the latest draft: "Begun 22:40: Lame cow · 1 photo". Its space stays reserved, so that nothing moves under
 * the finger.
 */
export function DraftOffer({ entry }: { readonly entry: string }): JSX.Element | null {
  const [found, setFound] = useState<StoredDraft | undefined>()
  const isBegun = route.value.query.has('draft')
  const wasBegun = useRef(isBegun)
  wasBegun.current ||= isBegun
  useEffect(() => {
    if (!wasBegun.current) lastDraft(entry).then(setFound)
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
