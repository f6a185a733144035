import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Point } from '../form/exif.ts'
import { here, lookIfAllowed } from '../form/here.ts'
import { areaAround } from '../form/nearest.ts'
import { PickRecord } from '../form/pick-record.tsx'
import { wktOfPoint } from '../form/shape-value.ts'
import { Chip } from '../look/chip.tsx'
import { go, replace, route, withQuery } from '../look/router.ts'
import type { KeptRecord } from '../store/record.ts'
import { shotsOnTheWay } from './camera.ts'
import { logOf } from './changes.ts'
import { chosenAreas, chosenAssets } from './chosen.ts'
import { nothingSaid, type Said } from './details.tsx'
import { useDraft } from './draft.ts'
import { composed, listed } from './names.ts'
import { NoteFlow } from './note-flow.tsx'
import { addPhotos, photosOf } from './photos.ts'
import { PlainSaved } from './plain-saved.tsx'
import { keepEntry, showSaved } from './save-entry.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'
import { isPlan, timing } from './timing.tsx'

/** The camera has opened on the way here. Where it is, the device says, if it may. */
export function ObserveEntry(): JSX.Element {
  const { query } = route.value
  const saved = query.get('saved')
  if (saved !== null)
    return <PlainSaved entry="observe" uuid={saved} words={({ name }) => say('entry.observe.saved', { name })} />
  return <ObservePage />
}

interface Observed extends Said {
  readonly flag: 'review' | null
  /** Where a photo was taken, for whoever wants that. */
  readonly point: Point | null
}

const nothingObserved: Observed = { ...nothingSaid, flag: null, point: null }

function ObservePage(): JSX.Element {
  const { state, change, draft } = useDraft<Observed>(
    'observe',
    nothingObserved,
    ({ name, note }) => name || composed.observe(note, place),
  )
  useEffect(() => {
    void lookIfAllowed()
    shotsOnTheWay().then((shots) => addPhotos(change, shots))
  }, [])
  const [areas, assets] = [placesHere(state.point ?? here.value), chosenAssets()]
  const place = listed([...assets, ...areas].map(({ name }) => name))
  const composedName = composed.observe(state.note, place)
  const save = async () => {
    const made = logOf({
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
    const photos = photosOf(made.uuid, state.photos)
    if ((await keepEntry({ entry: 'observe', changes: [made], words, photos, draft })) === null) return
    showSaved('observe', made.uuid)
  }
  const isBegun = state.photos.length + state.note.length > 0
  if (route.value.query.has('pick'))
    return <PickPlace onPick={({ id }) => replace(withQuery({ area: id, pick: null }))} />
  return (
    <NoteFlow
      entry="observe"
      label={say('entry.observe')}
      title={say('entry.observe')}
      question={say(isPlan() ? 'entry.observe.plan' : 'entry.observe.note')}
      said={state}
      composedName={composedName}
      onSay={change}
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

/** As the address says, else around that point. */
function placesHere(point: Point | null): readonly KeptRecord[] {
  const chosen = chosenAreas()
  if (chosen.length > 0 || chosenAssets().length > 0 || point === null) return chosen
  const around = areaAround(point)
  return around === null ? [] : [around]
}

function PickPlace({ onPick }: { readonly onPick: (area: KeptRecord) => void }): JSX.Element {
  return (
    <Step label={say('entry.observe')} before={withQuery({ pick: null })} title={say('entry.seed.where')}>
      <PickRecord of={{ type: 'term', bundles: ['farm_areas'] }} used="paddock" onPick={onPick} />
    </Step>
  )
}
