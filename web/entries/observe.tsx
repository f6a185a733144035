import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { wktOfPoint } from '../forms/field-value.ts'
import { areaAround, devicePosition, type GeoPoint, locateIfAllowed } from '../forms/nearby.ts'
import { Chip } from '../look/chip.tsx'
import { shortList } from '../look/names.ts'
import { go, replace, route, withQuery } from '../look/router.ts'
import type { LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { logOf } from './changes.ts'
import { addPhotos, type EntryDetails, noDetails, photosOf, shotsOnTheWay } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { chosenAreas, chosenAssets } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { PlainSaved } from './saved-card.tsx'
import { NoteFlow, PickPlace, Step } from './step.tsx'
import { isPlan, timing } from './timing.tsx'

/** The camera opens on the way here. The device suggests the place, if it may be located. */
export function ObserveEntry(): JSX.Element {
  const { query } = route.value
  const saved = query.get('saved')
  if (saved !== null)
    return <PlainSaved entry="observe" uuid={saved} words={({ name }) => say('entry.observe.saved', { name })} />
  return <ObservePage />
}

interface ObservationDetails extends EntryDetails {
  readonly flag: 'review' | null
  /** Position of a photo, once the user accepts it. */
  readonly point: GeoPoint | null
}

const nothingObserved: ObservationDetails = { ...noDetails, flag: null, point: null }

function ObservePage(): JSX.Element {
  const { state, change, draft } = useEntryDraft<ObservationDetails>(
    'observe',
    nothingObserved,
    ({ name, note }) => name || logNames.observe(note, place),
  )
  useEffect(() => {
    void locateIfAllowed()
    shotsOnTheWay().then((shots) => addPhotos(change, shots))
  }, [])
  const [areas, assets] = [placesHere(state.point ?? devicePosition.value), chosenAssets()]
  const place = shortList([...assets, ...areas].map(({ name }) => name))
  const composedName = logNames.observe(state.note, place)
  const save = async () => {
    const newLog = logOf({
      bundle: 'farm_observation',
      name: state.name || composedName,
      timing: timing(),
      assets,
      areas,
      note: state.note,
      more: {
        ...(state.flag === null ? {} : { flags: [state.flag] }),
        ...(state.point === null ? {} : { geofield: [{ geom: wktOfPoint(state.point) }] }),
      },
    })
    const words = say('entry.observe.saved', { name: state.name || composedName })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'observe', changes: [newLog], words, photos, draft })) === null) return
    showSaved('observe', newLog.uuid)
  }
  const isBegun = state.photos.length + state.note.length > 0
  if (route.value.query.has('pick'))
    return <ObservedPlace onPick={({ id }) => replace(withQuery({ area: id, pick: null }))} />
  return (
    <NoteFlow
      entry="observe"
      label={say('entry.observe')}
      title={say('entry.observe')}
      question={say(isPlan() ? 'entry.observe.plan' : 'entry.observe.note')}
      details={state}
      composedName={composedName}
      onDetails={change}
      place={{
        isSaid: (point) => state.point !== null || areas.some(({ id }) => id === areaAround(point)?.id),
        onUse: (point) => change({ point }),
      }}
      isReady={isBegun || areas.length + assets.length > 0}
      onSave={save}
    >
      <div class="options">
        <Chip icon="map" onPress={() => go(withQuery({ pick: 'area' }))}>
          {place === '' ? say('entry.where') : place}
        </Chip>
        <Chip
          icon="flag"
          pressed={state.flag === 'review'}
          onPress={() => change({ flag: state.flag === null ? 'review' : null })}
        >
          {say('entry.observe.review')}
        </Chip>
      </div>
    </NoteFlow>
  )
}

/** Areas from the address, else the areas around the point. */
function placesHere(point: GeoPoint | null): readonly LocalRecord[] {
  const chosen = chosenAreas()
  if (chosen.length > 0 || chosenAssets().length > 0 || point === null) return chosen
  const around = areaAround(point)
  return around === null ? [] : [around]
}

function ObservedPlace({ onPick }: { readonly onPick: (area: LocalRecord) => void }): JSX.Element {
  return (
    <Step label={say('entry.observe')} before={withQuery({ pick: null })} title={say('entry.seed.where')}>
      <PickPlace newType="field" used="paddock" onPick={onPick} />
    </Step>
  )
}
