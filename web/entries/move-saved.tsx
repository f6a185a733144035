import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { PickRow } from '../forms/pick-record.tsx'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset } from '../look/icon-of.ts'
import { Row } from '../look/list.tsx'
import { placesIn, shortList, subjectsOf } from '../look/names.ts'
import { Loading } from '../look/page.tsx'
import { PlaceMap } from '../look/place/place-map.tsx'
import { route, withQuery } from '../look/router.ts'
import { assets, termBy, terms } from '../store/local-copy.ts'
import { areasNamedIn, idsIn, isDone, type LocalRecord, timeOf } from '../store/record.ts'
import { placesOf, restOf } from '../store/stays.ts'
import { daysBetween } from '../words/format.ts'
import { say } from '../words/say.ts'
import { moveWithout } from './changes.ts'
import { beforeWords, movedAs, movedWords } from './entry-words.ts'
import { headsIn } from './herds.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { SavedCard, useSavedLog, useSavedLogs } from './saved-card.tsx'
import { Step } from './step.tsx'

/** "Milkers (42) are now in North 3, were 4 days in Hill 1, which now rests" */
export function MoveSaved({ uuids }: { readonly uuids: string }): JSX.Element {
  const [uuid = ''] = uuids.split(',')
  const others = useSavedLogs(uuids)?.filter((log) => log.uuid !== uuid) ?? []
  if (route.value.query.has('leave')) return <LeaveSome uuid={uuid} />
  const all = (log: LocalRecord) => [log, ...others].flatMap(assetsIn)
  return (
    <SavedCard
      label={say('entry.move')}
      uuid={uuid}
      words={(log) => moveWords(log, all(log))}
      second={(log) => beforeWords({ count: headsIn(all(log)), ...previousPlaceOf(log) })}
      picture={(log) => <Way log={log} />}
      more={(log) => <More log={log} mayLeave={others.length === 0 && isDone(log)} />}
    />
  )
}

function moveWords(log: LocalRecord, all: readonly LocalRecord[]): string {
  return movedWords({ who: shortList(subjectsOf(log)), as: movedAs(all), count: headsIn(all), to: placesIn(log) })
}

const assetsIn = (log: LocalRecord): readonly LocalRecord[] =>
  idsIn(log.fields.asset).flatMap((id) => assets.value.get(id) ?? [])

interface PreviousPlace {
  readonly from: { readonly place: string; readonly days: number } | undefined
  readonly restsNow: 'rests' | 'holds-others'
}

function previousPlaceOf(log: LocalRecord): PreviousPlace {
  const at = timeOf(log)
  const [stay] = assetsIn(log).flatMap(({ id }) => placesOf(id, at - 1))
  const area = terms.value.get(stay?.place ?? '')
  if (stay === undefined || area === undefined) return { from: undefined, restsNow: 'holds-others' }
  return {
    from: { place: area.name, days: daysBetween(stay.from, at) },
    restsNow: restOf(area.id, at) === null ? 'holds-others' : 'rests',
  }
}

function Way({ log }: { readonly log: LocalRecord }): JSX.Element | null {
  const area = termBy(areasNamedIn(log)[0] ?? '')
  const [stay] = assetsIn(log).flatMap(({ id }) => placesOf(id, timeOf(log) - 1))
  const from = terms.value.get(stay?.place ?? '')
  return area === undefined ? null : <PlaceMap shape="tall" area={area} from={from === area ? undefined : from} />
}

interface MoreProps {
  readonly log: LocalRecord
  /** False for a plan, and for a move of several logs. */
  readonly mayLeave: boolean
}

function More({ log, mayLeave }: MoreProps): JSX.Element {
  const heads = headsIn(assetsIn(log))
  const [first] = assetsIn(log)
  const area = areasNamedIn(log)[0] ?? ''
  return (
    <>
      {mayLeave && heads > 1 && first && (
        <Row
          to={withQuery({ leave: '1' })}
          margin={<Icon name={iconOfAsset(first)} />}
          title={say('entry.moved.leave-some')}
          second={say('entry.moved.all-moved', { count: heads })}
          end={<Icon name="next" size="small" />}
        />
      )}
      <Row
        to={`/add/observe?area=${area}`}
        margin={<Icon name="eye" />}
        title={say('entry.moved.note', { place: placesIn(log) })}
        second={say('entry.moved.note-about')}
        end={<Icon name="next" size="small" />}
      />
    </>
  )
}

/** Ticks all moved assets; a tap leaves one behind. */
function LeaveSome({ uuid }: { readonly uuid: string }): JSX.Element {
  const log = useSavedLog(uuid)
  if (log === null || log === undefined) return <Loading />
  return <WhoMoved log={log} />
}

function WhoMoved({ log }: { readonly log: LocalRecord }): JSX.Element {
  const named = idsIn(log.fields.asset).flatMap((id) => assets.value.get(id) ?? [])
  const heads = named.filter(({ bundle }) => bundle !== 'group')
  // Taps outlast the server's answer, which replaces the log.
  const [tapped, setTapped] = useState<readonly string[]>([])
  const left = tapped.filter((id) => heads.some((head) => head.id === id))
  const chosen = heads.map(({ id }) => id).filter((id) => !left.includes(id))
  const keep = async () => {
    const words = say('entry.moved.left', { count: left.length })
    if ((await saveEntry({ changes: [moveWithout(log, left)], words })) !== null) showSaved('move', log.uuid)
  }
  return (
    <Step
      label={say('entry.move')}
      before={`/add/move?saved=${log.uuid}`}
      title={say('entry.moved.stays')}
      second={left.length > 0 ? say('entry.moved.left', { count: left.length }) : undefined}
      foot={
        <button type="button" class="btn main-do fill" disabled={left.length === 0} onClick={keep}>
          {say('entry.moved.leave')}
        </button>
      }
    >
      <ul>
        {heads.map((head) => (
          <PickRow
            key={head.uuid}
            record={head}
            look={{ chosen }}
            onPick={({ id }) => setTapped(left.includes(id) ? left.filter((other) => other !== id) : [...left, id])}
          />
        ))}
      </ul>
    </Step>
  )
}
